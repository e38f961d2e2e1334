// The parts of a main() that shows how a library is called; each target puts them together for its interface.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "ir/program.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// Of each extent: small where arrays have several, since temporaries of all workers may, too.
std::uint64_t exampleSize(const ir::Spectrum &spectrum);

/// Sizes and first elements that a spectrum's contracts allow.
class ExampleShapes {
public:
  ExampleShapes(const LoweredPlan &plan, const ir::Spectrum &spectrum);

  /// Of dimension d of the i-th parameter, in C.
  std::string extent(std::size_t i, unsigned d) const { return texts_.at(extentOf(i, d).get()); }

  std::string count(std::size_t i, unsigned rank) const;

  /// The parameter, a number, in C: 1, or what its contract allows.
  std::string scalar(std::size_t parameter) const;

  /// Element i of the parameter, in C.
  std::string element(std::size_t parameter) const;

private:
  const ir::VarPtr &extentOf(std::size_t i, unsigned d) const;

  /// What a size mostly is, where that is less than the others: plans may be made for few.
  void takeTypical(const ir::Codelet &codelet, const ir::Typical &said,
                   ir::VariableMap<std::uint64_t> &typical) const;

  /// As an operand of * / %.
  static std::string factor(const std::string &text);

  static std::string oneLess(const std::string &count);

  std::string text(const ir::ExprPtr &e) const;

  const LoweredPlan &plan_;
  const ir::Spectrum &spectrum_;
  std::map<const ir::Var *, std::string> texts_; ///< of extents and scalar parameters
};

/// Names of the example's variables: a parameter keeps its own unless the library or the example defines or calls it;
/// the example's own variables then get names that are still free.
class ExampleNames {
public:
  ExampleNames(const LoweredPlan &plan, const ir::Spectrum &spectrum);

  const std::string &of(std::size_t parameter) const { return names_[parameter]; }

  /// The name of a variable that the example declares once; the same for each call.
  std::string own(const std::string &wanted);

private:
  std::set<std::string> taken_;
  std::vector<std::string> names_;
  std::map<std::string, std::string> own_;
};

/// `text` with the names of the example's own variables in the place of $words.
std::string named(const std::string &text, ExampleNames &names);

/// The containers, filled, and scalars.
std::string hostArrays(const ExampleShapes &shapes, const ir::Spectrum &spectrum,
                       const ExampleNames &names);
/// Prints the result, $result, or the first element of each container that is written.
std::string showResult(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                       const ExampleNames &names);
/// The call, and what is said where it fails.
std::string checkedCall(const LoweredPlan &plan, const std::string &args);
/// How the example is built, in a comment: of one line where that is not long.
std::string buildComment(const std::string &command, const std::vector<std::string> &sources,
                         const std::string &rest);

} // namespace tangram::codegen
