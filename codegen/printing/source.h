// What the printers make of an optimized plan.
#pragma once

#include "codegen/analysis/contraction.h"
#include "codegen/form/kernel_ir.h"
#include "codegen/form/launch.h"
#include "codegen/form/refusal.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tangram::codegen {

/// Memory of a work-group, under the name it has in the kernel.
struct LocalBuffer {
  std::string name;
  ir::Scalar element;
  ir::ExprPtr count;
};

/// One launch of a kernel.
struct Kernel {
  std::string name;
  ir::ExprPtr groups;     ///< over extents and tunables
  ir::ExprPtr groupsY;    ///< rows of groups; null: the launch has one dimension
  ir::ExprPtr groupSize;  ///< over compile-time tunables
  ir::ExprPtr groupSizeY; ///< rows of items in a group; null: one
  ir::ExprPtr shared;     ///< bytes of memory of a group that a launch asks for; null: none
  std::vector<KernelArgument> arguments;
  unsigned barriers = 0;           ///< in its text
  std::vector<LocalBuffer> locals; ///< declared in the kernel
};

/// How the library's function is declared and called.
struct CFunction {
  std::vector<std::string> parameters; ///< "const int *in", "size_t in_size", ...
  std::vector<std::string> arguments;  ///< "in", "in_size", ...
  /// Those that say how much there is to do: extents and scalars.
  std::vector<std::string> sizeParameters;
  std::vector<std::string> sizes;
};
/// Of a library that takes pointers: what stands in front of the parameters of the spectrum, then theirs.
CFunction pointerFunction(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                          const std::vector<std::pair<std::string, std::string>> &first = {});

/// "a, b, c".
std::string commaSeparated(const std::vector<std::string> &words);
/// "size_t a", "size_t b".
std::vector<std::string> prefixed(const std::string &prefix, std::vector<std::string> words);
/// `text` with `by` wherever `what` stands.
std::string replaced(std::string text, const std::string &what, const std::string &by);
/// The words that stand in a text of C.
std::vector<std::string> mentionedIn(const std::string &text,
                                     const std::vector<std::string> &words);
/// Statements that name, for the compiler, the parameters that a function's text does not use.
std::string voidOfUnused(const std::string &text, const std::vector<std::string> &parameters);

/// A header with C linkage: what it includes, then `declarations`.
std::string headerText(const std::string &name, const std::string &includes,
                       const std::string &declarations);
/// What C headers of libraries include that take plain pointers.
inline constexpr const char *plainIncludes = "#include <stddef.h>\n#include <stdbool.h>\n";

struct CSource {
  std::string text; ///< the library
  std::string header;
};

/// Pragmas that set contraction in C compilers. GCC does not know STDC FP_CONTRACT, and fuses by default.
std::string contractionPragma(Contraction contraction);

/// One of a library's versions: a bundle in a folder beside the library's files.
struct VersionSource {
  std::string folder;
  std::string function;           ///< what its function and files are called
  std::vector<std::string> steps; ///< the plan in linear notation
};

/// Sizes for which a version comes first. `when`: a condition on extents as a manifest spells it, which
/// is C as well; empty: all that no rule before it is for.
struct VersionRule {
  std::string when;
  std::size_t version = 0;
};

/// That measurements on the first calls decide, and not the rules alone (codegen/printing/online_choice.h).
struct OnlineExtents {
  std::vector<std::string>
      extents; ///< those that no other fixes, which tell classes of calls apart
};

struct ReferenceSource {
  std::string file; ///< its name in the bundle
  std::string text;
};

/// The spectrum's first autonomous codelet on one thread: what `verify` compares with.
std::variant<ReferenceSource, Refusal> printReference(const ir::Program &program,
                                                      const ir::Spectrum &spectrum);

} // namespace tangram::codegen
