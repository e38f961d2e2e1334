#include "driver/choosing/idle_units.h"

#include "composer/analysis/sites.h"
#include "composer/plans/plan_parts.h"
#include "driver/choosing/plan_account.h"
#include "escape/escape.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tangram::driver {

using composer::PlanPart;

namespace {

/// Of all that a call takes, the least share that is worth a word; and what a launch takes above its start.
constexpr double mostOfTheTime = 0.5;
constexpr double aboveStart = 2;

struct IdleLaunch {
  const PredictedSize *size = nullptr;
  const codegen::PredictedLaunch *launch = nullptr;
};

/// At the size where a launch of few groups takes longest.
std::optional<IdleLaunch> idleLaunch(const std::vector<PredictedSize> &sizes, double units) {
  std::optional<IdleLaunch> found;
  for (const PredictedSize &size : sizes) {
    for (const codegen::PredictedLaunch &launch : size.prediction.launches) {
      const bool isIdle =
          launch.groups < units && launch.seconds() > aboveStart * launch.start &&
          launch.seconds() * launch.times > mostOfTheTime * size.prediction.seconds();
      if (size.refusal.empty() && isIdle && (!found || launch.seconds() > found->launch->seconds()))
        found = {&size, &launch};
    }
  }
  return found;
}

/// The first map that hands the work down to the groups; null: none does.
const PlanPart *firstSpread(const std::vector<PlanPart> &parts) {
  for (const PlanPart &part : parts) {
    if (part.kind == composer::Term::Kind::Distribute && part.expr && part.codelet)
      return &part;
    if (const PlanPart *inside = firstSpread(part.inside))
      return inside;
  }
  return nullptr;
}

/// What would divide the elements of a map, each of which one group has now.
std::string remedyOf(const PlanPart *spread, const std::string &file) {
  if (!spread)
    return "no map is distributed: a codelet that maps over parts of what the spectrum has would "
           "divide it; `tangram derive " +
           escape::shell(file) + " --why` says why none follows from its loops";
  const std::string map = "its groups are elements of the map over " + spread->spectrum->name +
                          " in codelet " + spread->codelet->name();
  std::string taking; // codelets that take an element apart
  for (const ir::Codelet &codelet : spread->spectrum->codelets) {
    const bool maps = std::ranges::any_of(composer::sites(codelet), [](const composer::Site &site) {
      return site.kind == composer::Site::Kind::Map && !composer::isOrdered(*site.expr);
    });
    if (maps)
      taking += (taking.empty() ? "" : ", ") + codelet.name();
  }
  if (taking.empty())
    return map + "; a codelet of " + spread->spectrum->name +
           " that maps over parts of one would divide it";
  return map + "; " + taking + " takes one apart, but no such plan is predicted to be quicker";
}

} // namespace

std::string idleUnits(const composer::Planner &planner, const ir::PlanPtr &plan,
                      const Predictor &predictor) {
  const auto predicted = predictor.predict(plan);
  const auto *sizes = std::get_if<std::vector<PredictedSize>>(&predicted);
  const double units = planner.machine().groupUnits();
  const auto idle = sizes ? idleLaunch(*sizes, units) : std::nullopt;
  if (!idle)
    return "";
  const auto parts = composer::partsOf(plan, planner.rules());
  const auto number = [](double value) { return std::to_string(std::llround(value)); };
  const double groups = idle->launch->groups;
  return "note: at " + extentsText(*idle->size) + " this plan starts " + number(groups) +
         (std::llround(groups) == 1 ? " group" : " groups") + " where " + planner.machine().name +
         " has " + number(units) + " units, and takes " +
         milliseconds(idle->size->prediction.seconds()) +
         " as predicted\nnote: " + remedyOf(firstSpread(parts), planner.program().file) + "\n";
}

} // namespace tangram::driver
