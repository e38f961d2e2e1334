// Why a plan takes as long as is predicted: what limits each launch, which accesses and operations that is made of, with
// their places in the source, what is used again and not kept, and what would change it. About twenty lines a launch.
#pragma once

#include "composer/plans/planner.h"
#include "driver/choosing/predicted_plans.h"

#include <string>
#include <vector>

namespace tangram::driver {

/// The reasons at the first of the predicted sizes that the plan serves. Lines begin with blanks as they are inside each
/// other. Empty: it serves none, or has no code.
std::vector<std::string> whySlow(const composer::Planner &planner, const composer::RankedPlan &plan,
                                 const Predictor &predictor);

/// The same as the text of a file.
std::string whySlowText(const std::vector<std::string> &lines);

} // namespace tangram::driver
