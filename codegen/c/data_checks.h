// What libraries made with `synth --checked` look at before they compute: that elements are what the codelets
// require of them (`within`, `ascending`).
#pragma once

#include "codegen/kernel/kernel_ir.h"

#include <functional>
#include <string>

namespace tangram::codegen {

/// How a target's C spells what is checked.
struct DataSpelling {
  std::function<std::string(const ir::ExprPtr &)> expression;
  std::function<std::string(ir::Scalar)> type;
};

/// The functions that look at elements, one by one.
std::string dataCheckFunctions(const LoweredPlan &plan, const DataSpelling &says);

/// C of whether the elements at `elements`, as many as `count` says, are what the contract says.
std::string keepsContract(const DataContract &contract, const std::string &elements,
                          const std::string &count, const DataSpelling &says);

} // namespace tangram::codegen
