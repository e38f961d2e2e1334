// The targets of a machine's model, and which of them have a plan.
#pragma once

#include "composer/plans/planner.h"

#include <string>
#include <vector>

namespace tangram::driver {

/// A machine as one of its targets can express it.
struct TargetMachine {
  std::string target;
  composer::Machine machine;
};

/// The targets, in order, for which strategy `thesis` lists a plan with this id; `planning` says the rest. It plans
/// for each of them.
std::vector<std::string> targetsOfPlan(const std::vector<TargetMachine> &targets,
                                       const ir::Program &program, const std::string &spectrum,
                                       composer::PlanOptions planning, const std::string &id);

} // namespace tangram::driver
