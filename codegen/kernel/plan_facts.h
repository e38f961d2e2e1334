// What proofs may take for granted of a plan's numbers.
#pragma once

#include "algebra/inequalities.h"
#include "codegen/kernel/kernel_ir.h"

namespace tangram::codegen {

/// That tunables are no less than their least values, and that what the plan requires holds.
void assumePlan(algebra::Inequalities &facts, const LoweredPlan &plan);

} // namespace tangram::codegen
