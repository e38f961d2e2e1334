// Buffers and launch tunables are known by name outside of a plan.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// Gives each of them a name of its own. Memory of a work-group is known in its kernel only, and
/// counts where `localsToo`.
void distinguishNames(LoweredPlan &plan, bool localsToo);

} // namespace tangram::codegen
