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

/// One launch of an OpenCL kernel.
struct Kernel {
  std::string name;
  ir::ExprPtr groups;     ///< over extents and tunables
  ir::ExprPtr groupsY;    ///< rows of groups; null: the launch has one dimension
  ir::ExprPtr groupSize;  ///< over compile-time tunables
  ir::ExprPtr groupSizeY; ///< rows of items in a group; null: one
  std::vector<KernelArgument> arguments;
  unsigned barriers = 0;           ///< in its text
  std::vector<LocalBuffer> locals; ///< declared in the kernel
};

struct OpenclSource {
  std::string text;
  std::vector<Kernel> kernels; ///< in launch order
};

/// OpenCL C 1.2. The code of the grid level is cut into kernels: one a Parallel of groups.
std::variant<OpenclSource, Refusal> printOpencl(const LoweredPlan &plan,
                                                const std::vector<std::string> &steps,
                                                Contraction contraction);

/// How the library's function is declared and called.
struct CFunction {
  std::vector<std::string> parameters; ///< "const int *in", "size_t in_size", ...
  std::vector<std::string> arguments;  ///< "in", "in_size", ...
  /// Those that say how much there is to do: extents and scalars.
  std::vector<std::string> sizeParameters;
  std::vector<std::string> sizes;
};
CFunction openmpFunction(const LoweredPlan &plan, const ir::Spectrum &spectrum);
CFunction openclFunction(const LoweredPlan &plan, const ir::Spectrum &spectrum);

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
/// What the headers of a target include.
std::string includesOf(const TargetTraits &target);

/// What an OpenMP library has beside its function: the heads of NAME_workspace and NAME_on_threads, what
/// the header says of them, and names that no parameter of the function has.
struct OpenmpInterface {
  std::string threads, workspace, workspaceBytes, bytes, before, status;
  std::string workspaceHead, onThreadsHead;
  std::string declarations;
};
OpenmpInterface openmpInterface(const std::string &name, const CFunction &signature);

struct CSource {
  std::string text; ///< the library
  std::string header;
};

/// C with OpenMP: `int NAME(...)` with default tunables, and `int NAME_tuned(..., p...)`
/// when there are launch tunables. `checked`: calls check the data of their containers.
CSource printOpenmp(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                    const std::vector<std::string> &steps, Contraction contraction,
                    bool checked = false);
/// Pragmas that set contraction in C compilers. GCC does not know STDC FP_CONTRACT, and fuses by default.
std::string contractionPragma(Contraction contraction);

/// tangram_call for tangram-run: unpacks an argument array (docs/bundle.md).
std::string printOpenmpEntry(const LoweredPlan &plan, const ir::Spectrum &spectrum);

struct OpenclHost {
  std::string text;
  std::string header;
};

/// C host code that builds and launches the kernels: queue and cl_mem arguments.
OpenclHost printOpenclHost(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                           const OpenclSource &source, const std::vector<std::string> &steps,
                           bool checked = false);

/// A main() that calls the library on a few numbers; `sources`: what is compiled with it.
std::string printExample(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                         const std::vector<std::string> &sources);

struct ReferenceSource {
  std::string file; ///< its name in the bundle
  std::string text;
};

/// The spectrum's first autonomous codelet on one thread: what `verify` compares with.
std::variant<ReferenceSource, Refusal> printReference(const ir::Program &program,
                                                      const ir::Spectrum &spectrum);

} // namespace tangram::codegen
