#include "composer/plans/plan_improve.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tangram::composer {

namespace {

struct Choice;
using ChoicePtr = std::shared_ptr<const Choice>;

/// A goal, the rule chosen for it, and the choices for what that leaves open.
struct Choice {
  Goal goal;
  unsigned left = 0; ///< iterations, this one included
  const ProgramRule *rule = nullptr;
  std::vector<ChoicePtr> below;
};

class Improvement {
public:
  Improvement(const RuleOrder &order, const MeasurePlan &measure, const PlanInterner &interner,
              const ImproveOptions &options, unsigned iterations)
      : order_(order), measure_(measure), interner_(interner), options_(options),
        iterations_(iterations) {}

  std::vector<MeasuredPlan> run() {
    for (const ProgramRule *rule : order_.usable(order_.root(), iterations_))
      ask(chosen(order_.root(), iterations_, rule, nullptr));
    sort();
    std::set<const ir::PlanNode *> improved;
    for (unsigned step = 0;; ++step) {
      // What is not among the best any more is not improved; but what each rule of the root begins
      // gets a few steps before it is judged.
      std::vector<ChoicePtr> best;
      std::set<const ProgramRule *> begun;
      for (std::size_t i = 0; i < found_.size(); ++i) {
        const bool first = begun.insert(found_[i].choice->rule).second && step < options_.tries;
        if ((i < options_.width || first) && improved.insert(found_[i].plan.get()).second)
          best.push_back(found_[i].choice);
      }
      if (best.empty() || asked_.size() >= options_.asked)
        break;
      for (const ChoicePtr &each : best)
        neighbours(each, [&](const ChoicePtr &neighbour) { ask(neighbour); });
      sort();
    }
    std::vector<MeasuredPlan> plans;
    for (const Found &each : found_)
      plans.push_back({each.plan, each.measure});
    return plans;
  }

private:
  struct Found {
    ChoicePtr choice;
    ir::PlanPtr plan;
    PlanMeasure measure;
  };

  /// The rule for the goal, and below it what `old` chose for the same goals, else the first in rank.
  ChoicePtr chosen(const Goal &goal, unsigned left, const ProgramRule *rule,
                   const Choice *old) const {
    auto choice = std::make_shared<Choice>(Choice{goal, left, rule, {}});
    for (const OpenGoal &open : rule->open) {
      const Goal child = childGoal(goal, open);
      ChoicePtr kept;
      for (std::size_t i = 0; old && !kept && i < old->below.size(); ++i) {
        if (old->below[i]->goal == child)
          kept = old->below[i];
      }
      choice->below.push_back(
          kept ? kept : chosen(child, left - 1, order_.usable(child, left - 1).front(), nullptr));
    }
    return choice;
  }

  void neighbours(const ChoicePtr &choice,
                  const std::function<void(const ChoicePtr &)> &take) const {
    for (const ProgramRule *rule : order_.usable(choice->goal, choice->left)) {
      if (rule != choice->rule)
        take(chosen(choice->goal, choice->left, rule, choice.get()));
    }
    for (std::size_t i = 0; i < choice->below.size(); ++i) {
      neighbours(choice->below[i], [&](const ChoicePtr &below) {
        auto changed = std::make_shared<Choice>(*choice);
        changed->below[i] = below;
        take(changed);
      });
    }
  }

  ir::PlanPtr planOf(const Choice &choice) const {
    std::vector<ir::PlanPtr> slots;
    for (std::size_t i = 0; i < choice.below.size(); ++i)
      slots.push_back(slotOf(*choice.rule, i, planOf(*choice.below[i]), interner_));
    return nodeOf(*choice.rule, slots, interner_);
  }

  void ask(const ChoicePtr &choice) {
    if (asked_.size() >= options_.asked)
      return;
    ir::PlanPtr plan = planOf(*choice);
    if (!asked_.insert(plan.get()).second)
      return;
    kept_.push_back(plan);
    if (std::optional<PlanMeasure> measure = measure_(plan))
      found_.push_back({choice, plan, *measure});
  }

  /// A measure as a number of steps that can be told apart.
  double steps(const Found &f) const {
    const double value = f.measure.value;
    return options_.resolution > 0 && value > 0
               ? std::floor(std::log(value) / std::log1p(options_.resolution))
               : value;
  }

  void sort() {
    std::ranges::stable_sort(found_, [&](const Found &a, const Found &b) {
      const double first = steps(a);
      const double second = steps(b);
      if (first != second)
        return first < second;
      return comparePlans(order_, a.plan, b.plan, iterations_).preference.order < 0;
    });
  }

  const RuleOrder &order_;
  const MeasurePlan &measure_;
  const PlanInterner &interner_;
  const ImproveOptions &options_;
  unsigned iterations_;
  std::vector<Found> found_;
  std::set<const ir::PlanNode *> asked_;
  std::vector<ir::PlanPtr> kept_; ///< so that addresses stay theirs
};

} // namespace

std::vector<MeasuredPlan> improvePlans(const RuleOrder &order, unsigned iterations,
                                       const MeasurePlan &measure, const PlanInterner &interner,
                                       const ImproveOptions &options) {
  return Improvement(order, measure, interner, options, iterations).run();
}

} // namespace tangram::composer
