#include "runtime/tune/search.h"

#include <algorithm>
#include <bit>

namespace tangram::runtime {

namespace {

/// Fewer runs say nothing of how they scatter.
constexpr std::size_t fewestRuns = 3;
/// Of the plan that is left: measured again with all runs.
constexpr std::size_t measuredAgain = 3;
constexpr std::size_t keptOfPlan = 8;

class Searcher {
public:
  Searcher(const std::vector<const TunableSpace *> &plans, const SearchOptions &options,
           const Evaluate &evaluate, const std::function<bool()> &enough)
      : plans(plans), options(options), evaluate(evaluate), enough(enough) {
    for (std::size_t i = 0; i < plans.size(); ++i)
      searches.emplace_back(*plans[i], options.seed + i);
  }

  SearchResult run() {
    result.exhaustive = options.exhaustive || countAll(plans, options.budget + 1) <= options.budget;
    if (result.exhaustive)
      everything();
    else
      halving();
    for (const PlanSearch &each : searches)
      result.best.push_back(each.best(keptOfPlan));
    return std::move(result);
  }

private:
  bool measure(std::size_t plan, const TunableValues &values, std::size_t repeat) {
    if (enough()) {
      result.exhaustive = false;
      return false;
    }
    searches[plan].tell(values, evaluate(plan, values, repeat));
    ++result.evaluated;
    return true;
  }

  /// The defaults first: they say soonest what is fast.
  void everything() {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!measure(i, plans[i]->standard(), options.repeat))
        return;
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
      plans[i]->forEach([&](const TunableValues &values) {
        return values == plans[i]->standard() || measure(i, values, options.repeat);
      });
    }
  }

  bool spent() const { return result.evaluated >= options.budget; }

  void halving() {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < std::min(plans.size(), options.budget); ++i)
      left.push_back(i);
    const auto rounds = static_cast<std::size_t>(std::bit_width(left.size() - 1));
    // The last plan gets two shares.
    const std::size_t share = options.budget / (rounds + 2);
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::size_t repeat = runsIn(round, rounds);
      if (round > 0)
        again(left, 1, repeat);
      if (!explore(left, std::max(share, left.size()), repeat))
        return;
      std::stable_sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
        return searches[a].bestSeconds() < searches[b].bestSeconds();
      });
      left.resize((left.size() + 1) / 2);
    }
    explore(left, options.budget, options.repeat);
  }

  std::size_t runsIn(std::size_t round, std::size_t rounds) const {
    return std::max(std::min(fewestRuns, options.repeat), options.repeat >> (rounds - round));
  }

  /// The best ones of each plan.
  void again(const std::vector<std::size_t> &left, std::size_t most, std::size_t repeat) {
    for (std::size_t plan : left) {
      for (const PlanSearch::Measured &each : searches[plan].best(most)) {
        if (spent() || !measure(plan, each.values, repeat))
          return;
      }
    }
  }

  /// `share` measurements, in turns. False: the search ends.
  bool explore(const std::vector<std::size_t> &left, std::size_t share, std::size_t repeat) {
    const bool last = left.size() == 1 && repeat == options.repeat;
    std::size_t idle = 0;
    for (std::size_t turn = 0; share > 0 && idle < left.size(); ++turn) {
      const bool any = !searches[left.front()].best(1).empty();
      const std::size_t reserve = last && any ? std::min(measuredAgain, options.budget / 10) : 0;
      if (result.evaluated + reserve >= options.budget)
        break;
      const std::size_t plan = left[turn % left.size()];
      const std::optional<TunableValues> values = searches[plan].next();
      idle = values ? 0 : idle + 1;
      if (!values)
        continue;
      if (!measure(plan, *values, repeat))
        return false;
      --share;
    }
    if (last)
      again(left, measuredAgain, repeat);
    return !spent();
  }

  const std::vector<const TunableSpace *> &plans;
  const SearchOptions &options;
  const Evaluate &evaluate;
  const std::function<bool()> &enough;
  std::vector<PlanSearch> searches;
  SearchResult result;
};

} // namespace

std::size_t countAll(const std::vector<const TunableSpace *> &plans, std::size_t most) {
  std::size_t total = 0;
  for (const TunableSpace *plan : plans)
    total += total < most ? plan->count(most - total) : 0;
  return total;
}

SearchResult searchPlans(const std::vector<const TunableSpace *> &plans,
                         const SearchOptions &options, const Evaluate &evaluate,
                         const std::function<bool()> &enough) {
  return Searcher(plans, options, evaluate, enough).run();
}

} // namespace tangram::runtime
