// What a list of plans does not show, and why: nothing is left out in silence.
#pragma once

#include "composer/plans/planner.h"

#include <nlohmann/json.hpp>

#include <string>

namespace tangram::driver {

class DroppedPlans {
public:
  /// Of the list that `planner` gives. The planner must outlive it.
  explicit DroppedPlans(const composer::Planner &planner);

  /// Notes, a line each: how many candidates which iteration dropped, and which plans cannot be made, by
  /// their reasons. Empty: nothing was left out.
  std::string text() const;
  /// Of the plans that cannot be made alone, the most frequent first; empty: there are none.
  std::string reasons() const;
  /// { "pruned": [ { "iteration", "candidates", "kept" } ],
  ///   "refused": [ { "reason", "plans": [ids] } ] }
  nlohmann::ordered_json json() const;

private:
  struct Reason {
    std::string text;
    std::vector<std::string> ids;
  };

  const composer::Planner &planner_;
  composer::SearchLog log_;
  std::vector<Reason> reasons_; ///< of the refused, most frequent first
};

/// "16,765"; with more digits than a reader counts "1.24e22".
std::string countText(const mpz_class &count);

} // namespace tangram::driver
