#include "driver/choosing/versions/plan_versions.h"

#include "codegen/bundle/bundle.h"
#include "driver/choosing/plan_bundle.h"
#include "driver/choosing/plan_manifest.h"
#include "driver/choosing/predicted_plans.h"
#include "driver/choosing/tune_set.h"
#include "driver/choosing/typical_sizes.h"
#include "driver/choosing/versions/size_grid.h"
#include "driver/choosing/versions/undivided_plan.h"
#include "driver/choosing/versions/version_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tangram::driver {

using composer::Planner;
using composer::RankedPlan;

namespace {

/// How much is looked at, and how much where time matters (VersionsOptions::isQuick).
struct Effort {
  std::size_t fromList; ///< plans of the planner's list
  std::size_t kinds;    ///< typical sizes that have a search of their own
  std::size_t fromEach; ///< plans of each list for one kind of sizes
  std::size_t work;     ///< of the search for it (composer::ImproveOptions)
};
constexpr Effort thorough{24, 3, 8, std::numeric_limits<std::size_t>::max()};
constexpr Effort quick{4, 2, 3, 3500};
/// What a search for one kind of sizes asks for: the list has been searched well.
constexpr unsigned askedForEach = 80;
/// Sizes that somebody names and that have a search of their own.
constexpr std::size_t mostNamedKinds = 4;
constexpr std::uint64_t fewElements = 64;

/// The first version in turn from `first` on that serves a point.
std::size_t served(const PlanTimes &times, std::size_t first, std::size_t point) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t version = (first + i) % times.size();
    if (!std::isinf(times[version][point]))
      return version;
  }
  return first;
}

/// As many as a person can read, and as the search for the best tree is quick.
std::size_t mostRules(const std::vector<SizeFeature> &features, std::size_t versions) {
  constexpr std::size_t manyPoints = 64;
  const std::size_t wanted = versions + 2;
  if (features.size() <= 1)
    return wanted;
  return std::min<std::size_t>(wanted, features.front().values.size() > manyPoints ? 4 : 5);
}

/// Versions that no rule names and that no size needs are left out.
void dropUnused(std::vector<std::size_t> &chosen, std::vector<codegen::VersionRule> &rules,
                const PlanTimes &times) {
  for (std::size_t version = chosen.size(); version-- > 0 && chosen.size() > 1;) {
    const bool isNamed = std::ranges::count(rules, version, &codegen::VersionRule::version) != 0;
    bool isNeeded = false;
    for (std::size_t point = 0; point < times.front().size(); ++point) {
      bool othersServe = false;
      for (std::size_t other = 0; other < chosen.size(); ++other)
        othersServe |= other != version && !std::isinf(times[chosen[other]][point]);
      isNeeded |= !othersServe && !std::isinf(times[chosen[version]][point]);
    }
    if (isNamed || isNeeded)
      continue;
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(version));
    for (codegen::VersionRule &rule : rules) {
      if (rule.version > version)
        --rule.version;
    }
  }
}

} // namespace

VersionSearch::VersionSearch(const Planner &planner, VersionsOptions options)
    : planner_(planner), options_(std::move(options)) {
  if (options_.measured)
    collectMeasured();
  else
    collect();
  if (!plans_.empty())
    options_.measured ? takeMeasured() : predict();
}

void VersionSearch::take(const RankedPlan &plan) {
  if (std::ranges::count(plans_, plan.id, &RankedPlan::id) == 0)
    plans_.push_back(plan);
}

/// Those that the source and the model have still.
void VersionSearch::collectMeasured() {
  for (const auto &[id, seconds] : options_.measured->seconds) {
    auto found = planner_.findAnywhere(id);
    if (const auto *plan = std::get_if<RankedPlan>(&found))
      take(*plan);
    else
      refusals_[id] = "it was measured, but is no plan of this source and model";
  }
  (void)readSignature();
  // Of a spectrum whose parameters had other names.
  for (const std::string &extent : freeExtents(signature_)) {
    const bool isKnown = std::ranges::all_of(
        options_.measured->sizes, [&](const auto &extents) { return extents.contains(extent); });
    if (isKnown)
      continue;
    for (const RankedPlan &plan : plans_)
      refusals_[plan.id] = "it was measured at sizes that do not say " + extent;
    plans_.clear();
    return;
  }
}

void VersionSearch::collect() {
  const Effort &effort = options_.isQuick ? quick : thorough;
  errors_ = planner_.forEach([&](const RankedPlan &plan) {
    take(plan);
    return plans_.size() < effort.fromList;
  });
  if (!errors_.empty() || !readSignature())
    return;
  const bool isPredicted = planner_.options().strategy == composer::PlanStrategy::Predict;
  if (!options_.sizes.empty()) {
    for (std::size_t i = 0; isPredicted && i < std::min(options_.sizes.size(), mostNamedKinds); ++i)
      collectFor(options_.sizes[i]);
    return;
  }
  options_.sizes = sizeGrid(signature_);
  collectUndivided();
  const ir::Spectrum &spectrum = *planner_.program().spectrum(plans_.front().plan->spectrum);
  std::vector<runtime::SizeChoice> kinds =
      typicalSizes(signature_, saidOfSizes(spectrum, signature_));
  if (kinds.size() == 1)
    kinds.clear(); // what the planner's list is for
  if (options_.isQuick && !kinds.empty())
    kinds.erase(kinds.begin()); // much the same
  kinds.resize(std::min(kinds.size(), effort.kinds));
  if (!options_.isQuick) {
    kinds.emplace_back();
    for (const std::string &extent : freeExtents(signature_))
      kinds.back().named[extent] = {fewElements};
  }
  for (std::size_t i = 0; isPredicted && i < kinds.size(); ++i)
    collectFor(kinds[i]);
}

/// The best plan of the list in which one worker does everything, for sizes that workers take longer to start for.
void VersionSearch::collectUndivided() {
  (void)planner_.forEach([&](const RankedPlan &plan) {
    const bool found = !divides(*plan.plan);
    if (found)
      take(plan);
    return !found;
  });
}

void VersionSearch::collectFor(const runtime::SizeChoice &sizes) {
  const Effort &effort = options_.isQuick ? quick : thorough;
  composer::PlanOptions planning = planner_.options();
  planning.improving.asked = askedForEach;
  planning.improving.work = effort.work;
  // What is far slower at some sizes may be what serves others best.
  planning.improving.patient = std::numeric_limits<std::size_t>::max();
  const std::string spectrum = plans_.front().plan->spectrum;
  measureByPrediction(planning,
                      std::make_shared<Predictor>(planner_.program(), planner_.machine(), spectrum,
                                                  options_.target,
                                                  PredictOptions{{sizes}, options_.withoutPasses}));
  auto planner = Planner::make(planner_.program(), planner_.machine(), spectrum, planning);
  if (!std::holds_alternative<Planner>(planner))
    return; // there is the planner's list
  std::size_t taken = 0;
  (void)std::get<Planner>(planner).forEach([&](const RankedPlan &plan) {
    take(plan);
    return ++taken < effort.fromEach;
  });
}

/// Of the first plan that can be one; all have the same.
bool VersionSearch::readSignature() {
  for (const RankedPlan &plan : plans_) {
    const codegen::BundleRequest request =
        bundleRequest(planner_, plan, options_.target, options_.withoutPasses);
    auto made = codegen::planForPrediction(request);
    if (!std::holds_alternative<codegen::LoweredPlan>(made))
      continue;
    auto manifest = manifestOf(std::get<codegen::LoweredPlan>(made),
                               *planner_.program().spectrum(request.spectrum));
    if (!manifest)
      continue;
    signature_ = manifest->signature;
    return true;
  }
  return false;
}

void VersionSearch::predict() {
  const Predictor predictor(planner_.program(), planner_.machine(), plans_.front().plan->spectrum,
                            options_.target, {options_.sizes, options_.withoutPasses});
  points_.assign(options_.sizes.size(), {});
  for (const RankedPlan &plan : plans_) {
    auto predicted = predictor.predict(plan.plan);
    if (auto *refusal = std::get_if<codegen::Refusal>(&predicted)) {
      refusals_[plan.id] = textOf(*refusal);
      continue;
    }
    Candidate candidate{plan, {}};
    const auto &sizes = std::get<std::vector<PredictedSize>>(predicted);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool serves = sizes[i].refusal.empty();
      candidate.seconds.push_back(serves ? sizes[i].prediction.seconds() : unserved);
      if (serves)
        points_[i] = sizes[i].extents;
      else
        refusals_[plan.id] = sizes[i].refusal;
    }
    candidates_.push_back(std::move(candidate));
  }
}

void VersionSearch::takeMeasured() {
  points_ = options_.measured->sizes;
  for (const RankedPlan &plan : plans_)
    candidates_.push_back({plan, options_.measured->seconds.at(plan.id)});
}

/// Those with the least loss in the mean, of every class that none is of yet its best first.
void VersionSearch::addDifferent(std::vector<std::size_t> &chosen, const std::vector<double> &best,
                                 const std::vector<std::vector<double>> &times) const {
  std::vector<std::size_t> order = chosen;
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    double lost = 0;
    for (std::size_t point = 0; point < best.size(); ++point)
      lost += regret(times[c][point], best[point]);
    if (std::ranges::count(chosen, c) == 0)
      others.emplace_back(lost, c);
  }
  std::ranges::sort(others);
  for (const auto &[lost, c] : others)
    order.push_back(c);
  std::vector<RankedPlan> plans;
  for (std::size_t c : order)
    plans.push_back(candidates_[c].plan);
  for (std::size_t i : differentFirst(plans)) {
    if (chosen.size() < options_.most && std::ranges::count(chosen, order[i]) == 0)
      chosen.push_back(order[i]);
  }
}

void VersionSearch::exclude(const std::string &id, const std::string &why) {
  std::erase_if(candidates_, [&](const Candidate &each) { return each.plan.id == id; });
  refusals_[id] = why;
}

PlanVersions VersionSearch::choose() const {
  // Sizes that some plan serves.
  std::vector<std::map<std::string, std::uint64_t>> points;
  PlanTimes times(candidates_.size());
  std::vector<double> best;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    double least = unserved;
    for (const Candidate &each : candidates_)
      least = std::min(least, each.seconds[i]);
    if (std::isinf(least))
      continue;
    points.push_back(points_[i]);
    best.push_back(least);
    for (std::size_t c = 0; c < candidates_.size(); ++c)
      times[c].push_back(candidates_[c].seconds[i]);
  }
  if (points.empty())
    return {};
  std::vector<std::size_t> chosen = chooseVersions(times, options_.most, options_.leastGain);
  if (options_.different)
    addDifferent(chosen, best, times);
  PlanTimes ofChosen;
  for (std::size_t plan : chosen)
    ofChosen.push_back(times[plan]);
  std::vector<std::vector<double>> costs(chosen.size());
  for (std::size_t version = 0; version < chosen.size(); ++version) {
    for (std::size_t point = 0; point < points.size(); ++point)
      costs[version].push_back(
          regret(ofChosen[served(ofChosen, version, point)][point], best[point]));
  }
  const std::vector<SizeFeature> features = featuresOf(points, signature_);
  PlanVersions versions;
  versions.rules = rulesFor(features, costs, {.mostRules = mostRules(features, options_.most)});
  versions.sizes = points.size();
  auto add = [&](RelativeTime &sum, double lost) {
    sum.mean += lost / static_cast<double>(points.size());
    sum.worst = std::max(sum.worst, 1 + lost);
  };
  for (std::size_t point = 0; point < points.size(); ++point) {
    add(versions.chosen, costs[versionAt(versions.rules, features, point)][point]);
    add(versions.alone, costs[0][point]);
  }
  if (!options_.different)
    dropUnused(chosen, versions.rules, times);
  for (std::size_t plan : chosen)
    versions.plans.push_back(candidates_[plan].plan);
  return versions;
}

} // namespace tangram::driver
