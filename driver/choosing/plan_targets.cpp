#include "driver/choosing/plan_targets.h"

#include <variant>

namespace tangram::driver {

using composer::Planner;

std::vector<std::string> targetsOfPlan(const std::vector<TargetMachine> &targets,
                                       const ir::Program &program, const std::string &spectrum,
                                       composer::PlanOptions planning, const std::string &id) {
  planning.strategy = composer::PlanStrategy::Thesis;
  planning.measure = nullptr; // of another target's code
  std::vector<std::string> found;
  for (const TargetMachine &each : targets) {
    planning.target = each.target;
    auto planner = Planner::make(program, each.machine, spectrum, planning);
    const auto *made = std::get_if<Planner>(&planner);
    if (made && std::holds_alternative<composer::RankedPlan>(made->find(id)))
      found.push_back(each.target);
  }
  return found;
}

} // namespace tangram::driver
