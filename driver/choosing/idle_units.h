// Plans that leave most of a machine idle: launches of fewer groups than it has units, what they cost, and what
// would divide their work.
#pragma once

#include "composer/plans/planner.h"
#include "driver/choosing/predicted_plans.h"

#include <string>

namespace tangram::driver {

/// Of the plan's launch that takes longest, where it has fewer groups than the machine has units and most of the
/// time goes there: a note of one line, and one of what would divide it. Empty: there is none such.
std::string idleUnits(const composer::Planner &planner, const ir::PlanPtr &plan,
                      const Predictor &predictor);

} // namespace tangram::driver
