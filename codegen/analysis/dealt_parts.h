// Parts of a plan that workers take when they have time.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// The tunable that says how many parts `s`, a Parallel of groups, has; where the plan goes over them in this one loop.
/// Else null: where several loops go over the same parts, each worker finds its own in its cache.
const Tunable *dealtParts(const LoweredPlan &plan, const ir::Stmt &s);

} // namespace tangram::codegen
