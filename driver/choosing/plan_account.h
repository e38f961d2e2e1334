// All that is known of a plan on one machine: its story, what is predicted of it, where it stands among
// all plans. `plans --why` tells it, `compare` puts many side by side.
#pragma once

#include "composer/plans/plan_story.h"
#include "composer/plans/planner.h"
#include "driver/choosing/predicted_plans.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tangram::driver {

struct PlanAccount {
  composer::RankedPlan plan;
  std::vector<composer::StoryLine> story;
  std::vector<PredictedSize> sizes; ///< empty where nothing is predicted
  std::string refusal;              ///< why there is no code of it

  /// Over all sizes; nothing where nothing is predicted.
  std::optional<double> seconds() const;
};

/// `predictor` may be null: nothing is predicted then.
PlanAccount accountOf(const composer::Planner &planner, const composer::RankedPlan &plan,
                      const Predictor *predictor);

/// The parts that a launch's time is the largest of, and starting it.
struct CostPart {
  const char *name;
  double codegen::PredictedLaunch::*seconds;
};
const std::vector<CostPart> &costParts();

/// What a prediction is mainly made of: the limit of its longest launch.
std::string limitOf(const codegen::Prediction &prediction);
/// Sum over all launches.
double total(const codegen::Prediction &prediction, double codegen::PredictedLaunch::*figure);

/// "0.0172"; of numbers with more than three digits all of them.
std::string figures(double value);
/// "0.0172 ms".
std::string milliseconds(double seconds);
/// "a=4096x4096 x=4096", as --size takes them.
std::string extentsText(const PredictedSize &size);

nlohmann::ordered_json toJson(const std::vector<composer::StoryLine> &story);
nlohmann::ordered_json toJson(const PredictedSize &size);

} // namespace tangram::driver
