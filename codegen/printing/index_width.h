// C for the choice of a host between kernels with indexes of 32 bits and of 64
// (codegen/passes/kernel/narrow_indexes.cpp has the bound).
#pragma once

#include "codegen/form/kernel_ir.h"

#include <string>

namespace tangram::codegen {

/// is_narrow, whether no index of a kernel needs more than 31 bits; of a plan that has a bound of them.
std::string narrownessText(const LoweredPlan &plan);
std::string narrownessCall(const LoweredPlan &plan);

} // namespace tangram::codegen
