// Strategy `predict`: plans that a measure of theirs calls good, found by improving some. The measure
// comes from outside (the time predicted of generated code, codegen/timing), and is asked of few plans:
//
//   start     for each rule of the root, the plan that is first in rank among those it begins, and the first in
//             which workers compute together what it hands down; where that is not possible, the first without
//             the codelet that is why, as often as that helps
//   step      of each of the best so far, and at first of the best of each rule of the root, the
//             neighbours: one rule taken for another, and what that leaves open completed by the rules
//             first in rank; what both leave open stays. Not asked for is what follows from what was: where
//             parts of plans add up, where a part makes no difference, and where a change of a rule that
//             helped no plan so far would be made to one that is far from the best; and, once much was
//             measured, at places of a plan where several changes did nothing
//   end       when a step finds nothing better than those before it, or enough was asked
//
// Where no plan serves a size that was asked for, those that it started with count, by rank.
//
// Where a sketch is given (composer/plans/sketch.h) only plans that it allows are asked for.
//
// So a space too large to be listed is searched, and where ranks are right nothing is lost to them.
#pragma once

#include "composer/plans/plan_build.h"
#include "composer/plans/plan_measuring.h"
#include "composer/plans/plan_order.h"
#include "composer/plans/sketch.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tangram::composer {

struct Choice;

struct MeasuredPlan {
  ir::PlanPtr plan;
  PlanMeasure measure;
  /// Of which the plan is made, if that may be changed everywhere; null: a sketch allowed it.
  std::shared_ptr<const Choice> choice = nullptr;
};

struct ImprovedPlans {
  /// Best first: the best and those alike with it, by rank; then the best of the others and those alike with
  /// it; and so on.
  std::vector<MeasuredPlan> plans;
  std::vector<MeasuredPlan> refused; ///< not possible, in the order in which they were asked for
};

struct ImproveOptions {
  unsigned asked = 185;        ///< measures at most
  std::size_t work = SIZE_MAX; ///< of measures (PlanMeasure::work), after which none is asked for
  unsigned width = 3;          ///< plans that a step improves
  /// Work after which what follows from a few measures alone is not measured: changes of a plan at a place where
  /// several others did nothing. (Work, not time: what is found is the same everywhere.)
  std::size_t thorough = 4'000;
  /// Work after which plans that are far slower than the best one are not improved any more.
  std::size_t patient = 3'000;
  /// Neighbours of the best plan that a rule of the root begins, where that plan is far slower.
  unsigned ofBeginning = 12;
  unsigned tries =
      2; ///< steps in which also the best that each rule of the root begins is improved
  /// Measures of plans that a known sketch allows, at most.
  unsigned ofSketch = 6;
  /// What a measure cannot tell: plans are alike up to this share above the better one.
  double resolution = 0.05;
  unsigned threads = 1; ///< that ask for measures at once

  /// For so many times as much work.
  ImproveOptions withEffort(double times) const;
};

/// Whether a measure is none to prefer `better` for.
bool areAlike(double better, double value, double resolution);

/// All plans that were asked for, of those that `fit` allows.
ImprovedPlans improvePlans(const SketchFit &fit, const RuleOrder &order, unsigned iterations,
                           const MeasurePlan &measure, const PlanInterner &interner,
                           const ImproveOptions &options = {});

/// The same of all plans, and of a few that each of these sketches allows: what somebody knows to be good may be further
/// from the rest than a search goes. A sketch that no plan fits says nothing. `others`, which another measure found
/// good, are beginnings as well.
ImprovedPlans improvePlans(const RuleOrder &order, const std::vector<Sketch> &known,
                           const std::vector<MeasuredPlan> &others, unsigned iterations,
                           const MeasurePlan &measure, const PlanInterner &interner,
                           const ImproveOptions &options);

/// The first in rank of the plans that `fit` allows; null: it allows none.
ir::PlanPtr firstInRank(const SketchFit &fit, const RuleOrder &order, unsigned iterations,
                        const PlanInterner &interner);

} // namespace tangram::composer
