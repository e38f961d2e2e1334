// What must hold of arrays and windows in the array form (ir/array.h), each by itself. Where they may be used is the
// verifier's (codegen/form/verifier.h).
#pragma once

#include "codegen/form/kernel_ir.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// How many subscripts an access to each array has: the plan's memory, what its statements allocate, and padded
/// arrays. Others have one.
class ArrayRanks {
public:
  explicit ArrayRanks(const LoweredPlan &plan);
  std::size_t of(const ir::Var *array) const;

private:
  std::map<const ir::Var *, std::size_t> ranks_;
};

/// What is wrong with the memory of an Allocate: its extents, their bounds, its owner.
std::vector<std::string> wrongArray(const LoweredPlan &plan, const ir::Stmt &s);

/// Errors of the window of a Window or a Copy, which messages call `name`: of its origin in each dimension of the array, and of
/// the step, the extent and the bound of each of its own dimensions.
std::vector<std::string> wrongWindow(const LoweredPlan &plan, const ArrayRanks &ranks,
                                     const ir::Stmt &s, const std::string &name);

/// Errors of a Copy, which has a counter for each dimension of its window, and copies an element of the window's array.
std::vector<std::string> wrongCopy(const ir::Stmt &s);

/// What is wrong with an array that is another one continued past its ends.
std::vector<std::string> wrongPadding(const ArrayRanks &ranks, const ir::VarPtr &var,
                                      const PaddedArray &padded);

} // namespace tangram::codegen
