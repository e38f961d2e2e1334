// C for what a host does around launches of kernels: it counts rounds, asks elements that kernels have
// written, and exchanges buffers.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// How the function around the rounds spells what they need.
struct RoundSpelling {
  std::function<std::string(std::size_t kernel)> launch; ///< statements, indented by two blanks
  std::function<std::string(ir::Scalar)> type;
  std::string status; ///< variable that is `success` while nothing has failed
  std::string success;
  std::string held; ///< a free name
  /// The question whether a kernel has left another number than 0 in an array.
  std::function<std::string(const ir::Var &array)> asks;
  std::function<std::string(const ir::Var &array)> pointer; ///< a declaration's type
};

/// The statements, indented by two blanks; loops end when something has failed.
std::string roundsText(const LoweredPlan &plan, const RoundSpelling &spelling);

/// Whether an element is asked in it.
bool asksKernels(const LoweredPlan &plan);

/// Numbers of rounds, one for each loop that counts.
std::vector<ir::VarPtr> countersOf(const LoweredPlan &plan);

/// Arrays that a swap exchanges.
std::set<const ir::Var *> swappedArrays(const LoweredPlan &plan);

} // namespace tangram::codegen
