#include "driver/choosing/plan_account.h"

#include "driver/choosing/plan_bundle.h"

#include <algorithm>
#include <cstdio>

namespace tangram::driver {

using codegen::PredictedLaunch;
using codegen::Prediction;
using Json = nlohmann::ordered_json;

std::optional<double> PlanAccount::seconds() const {
  const bool serves = std::ranges::any_of(sizes, &std::string::empty, &PredictedSize::refusal);
  return serves ? std::optional(driver::seconds(sizes)) : std::nullopt;
}

PlanAccount accountOf(const composer::Planner &planner, const composer::RankedPlan &plan,
                      const Predictor *predictor) {
  PlanAccount account;
  account.plan = plan;
  account.story = composer::planStory(plan.plan, planner.rules());
  if (!predictor)
    return account;
  auto predicted = predictor->predict(plan.plan);
  if (auto *refusal = std::get_if<codegen::Refusal>(&predicted))
    account.refusal = textOf(*refusal);
  else
    account.sizes = std::get<std::vector<PredictedSize>>(std::move(predicted));
  return account;
}

const std::vector<CostPart> &costParts() {
  static const std::vector<CostPart> parts{
      {"memory", &PredictedLaunch::memory},     {"cache", &PredictedLaunch::cache},
      {"accesses", &PredictedLaunch::accesses}, {"operations", &PredictedLaunch::operations},
      {"waiting", &PredictedLaunch::waiting},   {"atomics", &PredictedLaunch::atomics},
      {"start", &PredictedLaunch::start}};
  return parts;
}

std::string limitOf(const Prediction &prediction) {
  const auto longest = std::ranges::max_element(prediction.launches, {}, &PredictedLaunch::seconds);
  return longest == prediction.launches.end() ? "" : longest->limit();
}

double total(const Prediction &prediction, double PredictedLaunch::*figure) {
  double sum = 0;
  for (const PredictedLaunch &launch : prediction.launches)
    sum += launch.*figure;
  return sum;
}

std::string figures(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 1000 ? "%.0f" : "%.3g", value);
  return text;
}

std::string milliseconds(double seconds) { return figures(seconds * 1e3) + " ms"; }

std::string extentsText(const PredictedSize &size) {
  std::string text;
  std::string before;
  for (const auto &[name, extent] : size.extents) {
    const std::string container = name.substr(0, name.rfind("_size"));
    text += container == before ? "x" : (text.empty() ? "" : " ") + container + "=";
    text += std::to_string(extent);
    before = container;
  }
  return text;
}

Json toJson(const std::vector<composer::StoryLine> &story) {
  Json lines = Json::array();
  for (const composer::StoryLine &line : story)
    lines.push_back({{"step", line.step}, {"depth", line.depth}, {"text", line.text}});
  return lines;
}

Json toJson(const PredictedSize &size) {
  Json json{{"extents", size.extents}};
  if (!size.refusal.empty()) {
    json["refused"] = size.refusal;
    return json;
  }
  json["tunables"] = size.tunables;
  json["seconds"] = size.prediction.seconds();
  json["limit"] = limitOf(size.prediction);
  json["launches"] = Json::array();
  for (const PredictedLaunch &launch : size.prediction.launches) {
    Json each{{"groups", launch.groups}, {"items", launch.items},       {"bytes", launch.bytes},
              {"work", launch.work},     {"seconds", launch.seconds()}, {"limit", launch.limit()}};
    for (const CostPart &part : costParts())
      each[part.name] = launch.*part.seconds;
    json["launches"].push_back(std::move(each));
  }
  return json;
}

} // namespace tangram::driver
