// Plans by the time that is predicted of them (strategy `predict`): each is turned into the code that it
// would become, and codegen/timing says how long that takes at some sizes.
#pragma once

#include "codegen/lowering/lower.h"
#include "codegen/timing/cost.h"
#include "composer/plans/plan_improve.h"
#include "composer/plans/planner.h"
#include "runtime/bundle/tunables.h"
#include "runtime/data/inputs.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

struct PredictOptions {
  /// What plans will be used for; empty: typical sizes.
  std::vector<runtime::SizeChoice> sizes;
  std::set<std::string> withoutPasses;
};

/// A plan's prediction at one choice of sizes.
struct PredictedSize {
  std::map<std::string, std::uint64_t> extents;
  runtime::TunableValues tunables;
  codegen::Prediction prediction;
  std::string refusal; ///< why it cannot serve this size; empty: it can
  double weight = 1;   ///< in means over sizes
};

/// Geometric mean of a plan's seconds at all sizes, by their weights; one that it cannot serve counts as an hour.
double seconds(const std::vector<PredictedSize> &sizes);

/// Predictions of plans of one spectrum; program and machine, which is projected onto the target,
/// must outlive it.
class Predictor {
public:
  Predictor(const ir::Program &program, const composer::Machine &machine, std::string spectrum,
            std::string target, PredictOptions options = {});

  /// At each of the sizes, or why the plan is refused. By several threads at once, too, as measure().
  std::variant<std::vector<PredictedSize>, codegen::Refusal> predict(const ir::PlanPtr &plan) const;

  /// The same with the accesses and operations that the times are made of.
  std::variant<std::vector<PredictedSize>, codegen::Refusal> explain(const ir::PlanPtr &plan) const;

  /// Its seconds() at all sizes. Refused is also a plan that can serve none of them.
  composer::PlanMeasure measure(const ir::PlanPtr &plan) const;
  /// The same at typical sizes, whatever the options say.
  composer::PlanMeasure measureAtAny(const ir::PlanPtr &plan) const;
  /// Whether the options name sizes.
  bool hasSizes() const { return !options_.sizes.empty(); }

  /// Of a plan that was measured, the seconds at each of the sizes; of one that it cannot serve an hour. Empty: it
  /// was not, or is refused.
  std::vector<double> measured(const ir::PlanPtr &plan) const;
  /// Of all plans that were (composer::PlanMeasure::work).
  std::size_t work() const;

  const std::string &target() const { return target_; }
  const ir::Program &program() const { return program_; }

  /// What lowering plans found out, for whoever makes one of them while nothing is predicted; null: none was
  /// lowered.
  std::shared_ptr<codegen::Findings> findings() const;

private:
  /// How a plan is predicted.
  struct Wanted {
    bool atAny = false;    ///< at typical sizes, whatever the options say
    bool explains = false; ///< codegen::predict
  };
  /// `statements`: of the code.
  std::variant<std::vector<PredictedSize>, codegen::Refusal>
  predict(const ir::PlanPtr &plan, Wanted wanted, std::size_t &statements) const;
  composer::PlanMeasure measure(const ir::PlanPtr &plan, Wanted wanted) const;

  /// Those of the options, or typical ones that the spectrum takes: all plans have one signature, and one answer.
  const std::vector<runtime::SizeChoice> &sizesFor(const runtime::Signature &signature,
                                                   bool atAny) const;

  const ir::Program &program_;
  const composer::Machine &machine_;
  std::string spectrum_;
  std::string target_;
  PredictOptions options_;
  /// Plans ask much the same, but one at a time: what was found is lent to one thread.
  class Lent;
  mutable std::mutex lending_;
  mutable std::vector<std::shared_ptr<codegen::Findings>> findings_;
  mutable std::mutex keeping_;
  mutable std::vector<runtime::SizeChoice> typical_; ///< empty: nobody asked
  mutable std::map<ir::PlanPtr, std::vector<double>> measured_;
  mutable std::size_t work_ = 0;
  /// What all threads simplify.
  std::shared_ptr<algebra::SimplifiedForms> forms_ = std::make_shared<algebra::SimplifiedForms>();
};

/// Strategy `predict`, by these predictions.
void measureByPrediction(composer::PlanOptions &planning,
                         std::shared_ptr<const Predictor> predictor);

/// The same, with the sketches that stand beside the source. What is wrong with one of
/// those; empty: all is well.
[[nodiscard]] ir::Diagnostics planByPrediction(composer::PlanOptions &planning,
                                               std::shared_ptr<const Predictor> predictor);

} // namespace tangram::driver
