// Plans in which one worker does everything: nothing is started, and nothing waited for. For few elements no other is as
// fast.
#pragma once

#include "ir/plan.h"

namespace tangram::driver {

/// Whether several workers share the work of any map of the plan.
bool divides(const ir::PlanNode &plan);

} // namespace tangram::driver
