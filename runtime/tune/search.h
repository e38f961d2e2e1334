// The search over plans and the settings of their tunables.
//
// Everything, where that is within the budget. Else successive halving over the plans (Jamieson and
// Talwalkar, 2016): in every round each plan that is left gets the same share of it, for the settings
// that its own search proposes (plan_search.h); then the slower half goes. What is left at the end
// gets the rest. Later rounds take more runs of each setting, and measure their best ones again.
#pragma once

#include "runtime/tune/plan_search.h"

#include <functional>

namespace tangram::runtime {

struct SearchOptions {
  std::size_t budget = 100; ///< measurements
  bool exhaustive = false;  ///< whatever the budget
  std::uint64_t seed = 1;
  std::size_t repeat = 10; ///< runs of a setting that count
};

/// What one setting of a plan takes, in seconds, from so many runs; nothing when it cannot run or
/// is wrong.
using Evaluate = std::function<std::optional<double>(std::size_t plan, const TunableValues &values,
                                                     std::size_t repeat)>;

struct SearchResult {
  /// By plan, its fastest settings, fastest first; a plan that has none could not run.
  std::vector<std::vector<PlanSearch::Measured>> best;
  std::size_t evaluated = 0;
  bool exhaustive = false; ///< every setting of every plan was measured
};

/// How many settings there are, or `most` where there are more.
std::size_t countAll(const std::vector<const TunableSpace *> &plans, std::size_t most);

/// The same results give the same search. Plans should come best first: where the budget is smaller
/// than their number, the last ones are not looked at. `enough`: whether to end now.
SearchResult searchPlans(const std::vector<const TunableSpace *> &plans,
                         const SearchOptions &options, const Evaluate &evaluate,
                         const std::function<bool()> &enough);

} // namespace tangram::runtime
