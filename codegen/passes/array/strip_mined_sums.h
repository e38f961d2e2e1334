// The transformation that the passes strip-mined-sums and reordered-sums share.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// Cuts a loop of each sum that the items of a group make together into steps of the group. `reorders`: also where the
/// terms of an element are then added up in another order.
LoweredPlan sumsInSteps(LoweredPlan plan, bool reorders);

} // namespace tangram::codegen
