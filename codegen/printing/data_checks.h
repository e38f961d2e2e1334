// Data checks of libraries made with `synth --checked`: before they compute, they test that elements are as the
// codelets require (`within`, `ascending`).
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/printing/containers.h"

#include <functional>
#include <string>
#include <vector>

namespace tangram::codegen {

/// How a target's C spells what is checked.
struct DataSpelling {
  std::function<std::string(const ir::ExprPtr &)> expression;
  std::function<std::string(ir::Scalar)> type;
};

/// The functions that look at elements, one by one.
std::string dataCheckFunctions(const LoweredPlan &plan, const DataSpelling &says);

/// Whether a contract is about a number and not about one of the containers.
bool isScalar(const DataContract &contract, const std::vector<Container> &containers);

/// C of whether the elements at `elements`, as many as `count` says, are what the contract says.
std::string keepsContract(const DataContract &contract, const std::string &elements,
                          const std::string &count, const DataSpelling &says);

} // namespace tangram::codegen
