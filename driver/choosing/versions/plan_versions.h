// tangram synth --plans K: the plans that are the versions of one library, and the rules that choose among
// them, by times that were predicted or, where a store is given, measured.
#pragma once

#include "codegen/printing/dispatch.h"
#include "composer/plans/planner.h"
#include "driver/choosing/versions/measured_times.h"
#include "driver/choosing/versions/version_choice.h"
#include "runtime/data/inputs.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

/// How much slower than the best plan known at each size, by the same times: 1 is as fast.
struct RelativeTime {
  double mean = 1;
  double worst = 1;
};

struct PlanVersions {
  std::vector<composer::RankedPlan> plans; ///< the one that is best alone first
  std::vector<codegen::VersionRule> rules;
  std::size_t sizes = 0; ///< compared
  RelativeTime chosen;   ///< by the rules
  RelativeTime alone;    ///< the first plan at each size that it serves
};

struct VersionsOptions {
  std::size_t most = 2;
  std::string target;
  std::set<std::string> withoutPasses;
  std::vector<runtime::SizeChoice> sizes; ///< to compare at; empty: sizeGrid()
  /// `most` plans of different classes, if there are as many, also where predictions gain nothing by them.
  bool different = false;
  /// These count in place of predictions, with their sizes in place of `sizes`.
  std::optional<MeasuredTimes> measured = {};
  /// Fewer candidates, found in a fraction of the time; none of searches for few elements.
  bool isQuick = false;
  /// What one more version has to save at least, in the mean, per time of the best plan known at each size.
  double leastGain = 0.01;
};

/// The candidates are the plans that were measured. Where none were they are the best plans of the planner's
/// list and, where that is by predictions, of lists by the predictions for one kind of sizes each: few
/// elements, and the typical ones (typicalSizes()) one by one. The planner must outlive it.
class VersionSearch {
public:
  VersionSearch(const composer::Planner &planner, VersionsOptions options);

  /// Empty: no plan serves any size; then `refusals` says why.
  PlanVersions choose() const;
  /// Leave a plan out: it cannot become a bundle.
  void exclude(const std::string &id, const std::string &why);
  const std::map<std::string, std::string> &refusals() const { return refusals_; } ///< by plan

  /// Of all plans.
  const runtime::Signature &signature() const { return signature_; }

  const ir::Diagnostics &errors() const { return errors_; }

private:
  struct Candidate {
    composer::RankedPlan plan;
    std::vector<double> seconds;
  };

  void collect();
  void collectMeasured();
  void collectFor(const runtime::SizeChoice &sizes);
  void collectUndivided();
  void take(const composer::RankedPlan &plan);
  bool readSignature();
  void predict();
  void takeMeasured();
  void addDifferent(std::vector<std::size_t> &chosen, const std::vector<double> &best,
                    const std::vector<std::vector<double>> &times) const;

  const composer::Planner &planner_;
  VersionsOptions options_;
  ir::Diagnostics errors_;
  std::vector<composer::RankedPlan> plans_;
  std::map<std::string, std::string> refusals_;
  runtime::Signature signature_;
  std::vector<std::map<std::string, std::uint64_t>> points_; ///< extents at each size
  std::vector<Candidate> candidates_;
};

} // namespace tangram::driver
