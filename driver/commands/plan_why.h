// tangram plans --why: why a plan is what it is and stands where it stands; or two plans side by side.
#pragma once

#include "composer/plans/planner.h"
#include "driver/choosing/predicted_plans.h"

#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

struct WhyOptions {
  /// One or two plans, as chosenPlan() takes them; looked for everywhere.
  std::vector<std::string> plans;
  /// "text" or "json" (docs/plans.md).
  std::string format = "text";
  /// What is said of fusion.
  std::vector<std::string> fusion = {};
};

/// `predictor`: null where no target is chosen; then nothing is said of times and code. Exit status: 0; 1
/// when a plan is not found.
int explainPlans(const WhyOptions &options, const composer::Planner &planner,
                 const Predictor *predictor, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
