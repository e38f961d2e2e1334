#include "composer/plans/plan_improve.h"

#include "composer/plans/plan_choices.h"
#include "composer/plans/plan_effects.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace tangram::composer {

namespace {

/// Plans with their measures, best first. What is alike cannot be told apart by its measure: the best and all that are
/// alike with it are in the order of ranks; then the same of the others.
template <typename Measured>
void sortByMeasure(std::vector<Measured> &plans, const RuleOrder &order, unsigned iterations,
                   double resolution) {
  std::ranges::sort(plans, {}, [](const Measured &m) { return m.measure.value; });
  for (auto first = plans.begin(); first != plans.end();) {
    const auto last = std::find_if(std::next(first), plans.end(), [&](const Measured &m) {
      return !areAlike(first->measure.value, m.measure.value, resolution);
    });
    std::sort(first, last, [&](const Measured &a, const Measured &b) {
      return comparePlans(order, a.plan, b.plan, iterations).preference.order < 0;
    });
    first = last;
  }
}

class Improvement {
public:
  Improvement(const SketchFit &fit, const RuleOrder &order, const MeasurePlan &measure,
              const PlanInterner &interner, const ImproveOptions &options, unsigned iterations,
              const std::vector<Sketch> &known, const std::vector<MeasuredPlan> &others = {})
      : fit_(fit), order_(order), interner_(interner), chooser_(fit, order, interner),
        options_(options), iterations_(iterations), known_(known), others_(others),
        measuring_(measure, options.threads) {}

  ImprovedPlans run() {
    begin();
    if (found_.empty())
      found_ = std::move(unserved_);
    sort();
    std::set<const ir::PlanNode *> improved;
    for (unsigned step = 0;; ++step) {
      // What is not among the best any more is not improved; but what each rule of the root begins
      // gets a few steps before it is judged.
      std::vector<Base> best;
      std::set<const ProgramRule *> begun;
      for (std::size_t i = 0; i < found_.size(); ++i) {
        const bool first = begun.insert(found_[i].choice->rule).second && step < options_.tries;
        if ((i < options_.width || first) && improved.insert(found_[i].plan.get()).second)
          best.push_back({found_[i].choice, found_[i].measure.value, i < options_.width,
                          first && step == 0,
                          placesOfParts(found_[i].choice, order_.root().level)});
      }
      if (best.empty() || wasEnough())
        break;
      // Of several nests each is improved by itself, which says more with each measure: these first, but not where the
      // best plan is of one.
      const auto hasNests = [](const Base &each) { return each.parts.size() > 1; };
      if (hasNests(*std::ranges::min_element(best, {}, &Base::value)))
        std::ranges::stable_partition(best, hasNests);
      const double before = best_;
      for (const Base &each : best) {
        const bool isFar = work_ > options_.patient && each.value >= farSlower * best_;
        if (!isFar || each.isBeginning)
          improve(each, isFar);
      }
      sort();
      if (step + 1 >= options_.tries && best_ >= before)
        break;
    }
    for (const Found &each : found_)
      result_.plans.push_back({each.plan, each.measure, each.choice});
    return std::move(result_);
  }

private:
  /// Plans of a batch. The next ones are thought of by what is known of all batches but the one before them, whatever
  /// the number of threads.
  static constexpr std::size_t atOnce = 4;

  struct Found {
    ChoicePtr choice;
    ir::PlanPtr plan;
    PlanMeasure measure;
    PlanChange change = {}; ///< by which it was made; nothing: it is a beginning
    ChoicePlace place = {}; ///< of the change
    double before = 0;      ///< the value of what was changed
    bool isExtra = false;   ///< a neighbour of a beginning that is far slower than the best plan
    ChoicePtr of = nullptr; ///< what was changed
  };

  struct Batch {
    std::vector<Found> found = {};
    PlanBatch plans = {}; ///< of all of them, once it has begun
  };

  /// A plan that a step improves.
  struct Base {
    ChoicePtr choice;
    double value;
    bool isAmongBest; ///< or only the best that a rule of the root begins
    bool isBeginning; ///< of a rule of the root, which is improved once whatever it is worth
    std::vector<ChoicePlace> parts; ///< where the nests of the plan stand
  };

  /// A rule that plans begin with, without the codelets for which those it began before were refused.
  struct Beginning {
    const ProgramRule *rule;
    SketchFit::Section section;
    Completion completion;
    Avoided avoided = {};
  };

  /// Measures the neighbours of a plan, part by part: the best of one part stands in those of the next. The parts are
  /// nests that run one after the other, whose times add up, so that the best of each make the best plan.
  void improve(const Base &base, bool isFar) {
    // A beginning says little of what is near it: of each part some neighbours are measured, which count for none.
    const auto enough = [&] { return isFar ? extra_ + options_.ofBeginning : SIZE_MAX; };
    places_ = {};
    Base current = base;
    const std::vector<ChoicePlace> &parts = base.parts;
    if (parts.size() > 1)
      tryNeighbours(current, {}, parts, enough());
    for (const ChoicePlace &part : parts) {
      if (parts.size() > 1 && tryKnown(current, part, parts))
        spread(current, part, parts);
    }
    for (const ChoicePlace &part : parts) {
      tryNeighbours(current, part, {}, enough());
      askAndWait();
      if (parts.size() > 1 && takeBest(current, part, parts))
        spread(current, part, parts);
    }
  }

  /// What differs from `base` at a place or below it, but not at places `without`; none where `enough` are measured that
  /// count for none.
  void tryNeighbours(const Base &base, const ChoicePlace &at,
                     const std::vector<ChoicePlace> &without, std::size_t enough) {
    const bool isFar = enough != SIZE_MAX;
    chooser_.neighbours(
        choiceAt(base.choice, at),
        [&](const ChoicePtr &below, const PlanChange &change, const ChoicePlace &place) {
          if (extra_ >= enough)
            return;
          const ChoicePtr neighbour = withChoiceAt(base.choice, at, below);
          const ir::PlanPtr plan = unasked(*neighbour);
          extra_ += isFar && plan ? 1 : 0;
          const bool isHopeless =
              plan && (isHopelessInParts(plan) ||
                       (work_ > options_.thorough && places_.makesNoDifference(place)) ||
                       effects_.isHopeless(change, base.value / best_, base.isAmongBest));
          if (isHopeless)
            kept_.push_back(plan);
          else if (plan)
            wanted_->found.push_back(
                {neighbour, plan, {}, change, place, base.value, isFar, base.choice});
          if (wanted_->found.size() == atOnce)
            ask();
        },
        at, without);
  }

  /// From now on `current` is the best plan that was measured with a change of it at or below `part` and still has all
  /// `parts`. False: none is better.
  bool takeBest(Base &current, const ChoicePlace &part,
                const std::vector<ChoicePlace> &parts) const {
    const Found *best = nullptr;
    for (const Found &each : found_) {
      const bool isOfPart = each.of == current.choice && each.place.size() >= part.size() &&
                            std::equal(part.begin(), part.end(), each.place.begin());
      const bool isBetter = each.measure.value < (best ? best->measure.value : current.value);
      if (isOfPart && isBetter && std::ranges::all_of(parts, [&](const ChoicePlace &other) {
            return hasPlace(*each.choice, other);
          }))
        best = &each;
    }
    if (best) {
      current.choice = best->choice;
      current.value = best->measure.value;
    }
    return best != nullptr;
  }

  /// Measures what sketches that somebody knows to be good allow for a part alone, once for each nest. Whether one is
  /// better than `current`, which then is that one.
  bool tryKnown(Base &current, const ChoicePlace &part, const std::vector<ChoicePlace> &parts) {
    const ChoicePtr &old = choiceAt(current.choice, part);
    if (!triedKnown_.insert(old->goal).second)
      return false;
    const RuleOrder order(order_.book(), old->goal);
    for (const Sketch &sketch : known_) {
      const SketchFit fit(order, sketch);
      const Chooser chooser(fit, order, interner_);
      for (const SketchFit::Place end : fit.ends(old->left)) {
        const ChoicePtr known = chooser.first(old->goal, old->left, {0, end});
        const ChoicePtr here = known ? chooser_.alike(*old, *known) : nullptr;
        if (here)
          wantInPlace(current, part, withChoiceAt(current.choice, part, here));
      }
    }
    askAndWait();
    return takeBest(current, part, parts);
  }

  void wantInPlace(const Base &base, const ChoicePlace &place, const ChoicePtr &choice) {
    if (const ir::PlanPtr plan = unasked(*choice))
      wanted_->found.push_back({choice, plan, {}, {}, place, 0, false, base.choice});
  }

  /// What helped one part may help others: all that can be like it, at once.
  void spread(Base &current, const ChoicePlace &part, const std::vector<ChoicePlace> &parts) {
    ChoicePtr all = current.choice;
    for (const ChoicePlace &other : parts) {
      const ChoicePtr alike =
          other == part ? nullptr
                        : chooser_.alike(*choiceAt(all, other), *choiceAt(current.choice, part));
      if (alike)
        all = withChoiceAt(all, other, alike);
    }
    wantInPlace(current, {}, all);
    askAndWait();
    takeBest(current, {}, parts);
  }

  /// Of each rule the first plan in rank that it begins and that is possible, and the first whose workers compute
  /// together what it hands down; and that of one worker alone, which is
  /// several rules away from others.
  void begin() {
    for (const MeasuredPlan &each : others_) {
      if (each.choice)
        want(each.choice);
    }
    std::vector<Beginning> open;
    for (const SketchFit::Place end : fit_.ends(iterations_)) {
      if (const ChoicePtr loop = chooser_.alone(order_.root(), iterations_, {0, end}))
        want(loop);
      for (const ProgramRule *rule : order_.usable(order_.root(), iterations_)) {
        for (const Completion completion : {Completion::ByRank, Completion::Together})
          open.push_back({rule, {0, end}, completion});
      }
    }
    while (!open.empty()) {
      std::vector<Beginning> next;
      std::vector<ir::PlanPtr> plans;
      for (Beginning &each : open) {
        const ChoicePtr choice =
            chooser_.chosen(order_.root(), iterations_, each.rule, each.section, nullptr,
                            each.avoided, each.completion);
        const bool isWanted =
            choice && (each.completion == Completion::ByRank || Chooser::isTogether(*choice));
        if (const ir::PlanPtr plan = isWanted ? want(choice) : nullptr) {
          next.push_back(std::move(each));
          plans.push_back(plan);
        }
      }
      askAndWait();
      open.clear();
      for (std::size_t i = 0; i < next.size(); ++i) {
        if (avoids(next[i], plans[i]))
          open.push_back(std::move(next[i]));
      }
    }
  }

  /// Whether the plan is refused for a codelet that another one can do without.
  bool avoids(Beginning &beginning, const ir::PlanPtr &plan) const {
    const auto refused = std::ranges::find(result_.refused, plan, &MeasuredPlan::plan);
    if (refused == result_.refused.end() || !refused->measure.at.valid())
      return false;
    const std::size_t before = beginning.avoided.size();
    beginning.avoided.merge(codeletsAt(*order_.book().context().program, refused->measure.at));
    return beginning.avoided.size() > before && !isAvoided(*beginning.rule, beginning.avoided);
  }

  bool wasEnough() const {
    return asked_.size() - extra_ >= options_.asked || work_ >= options_.work;
  }

  /// The plan, which counts as one that was asked for from now on; null: it was before, or there were enough.
  ir::PlanPtr unasked(const Choice &choice) {
    if (wasEnough())
      return nullptr;
    ir::PlanPtr plan = chooser_.planOf(choice);
    return asked_.insert(plan.get()).second ? plan : nullptr;
  }

  /// The same, which will be measured next.
  ir::PlanPtr want(const ChoicePtr &choice) {
    ir::PlanPtr plan = unasked(*choice);
    if (plan)
      wanted_->found.push_back({choice, plan, {}});
    return plan;
  }

  /// Whether a plan need not be measured, since what was says that it is worse than the best, or no other.
  bool isHopelessInParts(const ir::PlanPtr &plan) const {
    const PlanParts parts = partsOf(plan);
    if (estimates_.makesNoDifference(parts))
      return true;
    const std::optional<double> estimate = estimates_.of(parts);
    return estimate && !areAlike(best_, *estimate, options_.resolution);
  }

  PlanParts partsOf(const ir::PlanPtr &plan) const {
    return composer::partsOf(*plan, order_.root().level);
  }

  /// Begins to measure what is wanted, and takes what began before.
  void ask() {
    for (const Found &each : wanted_->found)
      wanted_->plans.plans.push_back(each.plan);
    measuring_.begin(wanted_->plans);
    std::swap(wanted_, asking_);
    if (!wanted_->found.empty())
      take();
  }

  void askAndWait() {
    ask();
    std::swap(wanted_, asking_);
    take();
  }

  /// What is thought of those that are wanted, which were the first to begin; nothing is wanted after it.
  void take() {
    measuring_.finish(wanted_->plans);
    for (std::size_t i = 0; i < wanted_->found.size(); ++i) {
      Found &each = wanted_->found[i];
      each.measure = std::move(wanted_->plans.measures[i]);
      kept_.push_back(each.plan);
      work_ += each.isExtra ? 0 : each.measure.work;
      const bool isPossible = each.measure.refusal.empty();
      const double value =
          isPossible ? each.measure.value : std::numeric_limits<double>::infinity();
      best_ = std::min(best_, value);
      estimates_.keep(partsOf(each.plan), value);
      if (each.change.from && !each.isExtra) {
        effects_.keep(each.change, each.before, value);
        places_.keep(each.place, each.before, value);
      }
      if (each.measure.refusal.empty()) {
        found_.push_back(std::move(each));
        continue;
      }
      result_.refused.push_back({each.plan, each.measure, each.choice});
      if (each.measure.isUnserved)
        unserved_.push_back(std::move(each));
    }
    *wanted_ = {};
  }

  void sort() { sortByMeasure(found_, order_, iterations_, options_.resolution); }

  const SketchFit &fit_;
  const RuleOrder &order_;
  const PlanInterner &interner_;
  Chooser chooser_;
  const ImproveOptions &options_;
  unsigned iterations_;
  const std::vector<Sketch> &known_;
  const std::vector<MeasuredPlan> &others_;
  std::set<Goal> triedKnown_; ///< parts of which known sketches were measured
  std::vector<Found> found_;
  std::vector<Found> unserved_;
  ImprovedPlans result_;
  std::set<const ir::PlanNode *> asked_;
  std::size_t extra_ = 0;         ///< of these, that count for none
  std::vector<ir::PlanPtr> kept_; ///< so that addresses stay theirs
  PartEstimates estimates_;
  ChangeEffects effects_;
  PlaceEffects places_;  ///< of the plan whose neighbours are measured
  std::size_t work_ = 0; ///< of all measures
  double best_ = std::numeric_limits<double>::infinity();
  std::unique_ptr<Batch> wanted_ = std::make_unique<Batch>(); ///< which did not begin
  std::unique_ptr<Batch> asking_ = std::make_unique<Batch>(); ///< which did
  PlanMeasuring measuring_; ///< last: its threads end before what they measure
};

} // namespace

bool areAlike(double better, double value, double resolution) {
  return value <= better * (1 + resolution);
}

ImprovedPlans improvePlans(const SketchFit &fit, const RuleOrder &order, unsigned iterations,
                           const MeasurePlan &measure, const PlanInterner &interner,
                           const ImproveOptions &options) {
  const std::vector<Sketch> nothingKnown;
  return Improvement(fit, order, measure, interner, options, iterations, nothingKnown).run();
}

ImproveOptions ImproveOptions::withEffort(double times) const {
  const auto more = [&](auto count) {
    const double scaled = static_cast<double>(count) * times;
    return scaled < 1e9 ? static_cast<decltype(count)>(std::max(1.0, scaled)) : count;
  };
  ImproveOptions options = *this;
  options.asked = more(asked);
  options.work = more(work);
  options.thorough = more(thorough);
  options.patient = more(patient);
  options.ofBeginning = more(ofBeginning);
  options.ofSketch = more(ofSketch);
  options.width = more(width);
  options.tries = more(tries);
  return options;
}

ImprovedPlans improvePlans(const RuleOrder &order, const std::vector<Sketch> &known,
                           const std::vector<MeasuredPlan> &others, unsigned iterations,
                           const MeasurePlan &measure, const PlanInterner &interner,
                           const ImproveOptions &options) {
  const SketchFit anything(order, Sketch::anything());
  ImprovedPlans all =
      Improvement(anything, order, measure, interner, options, iterations, known, others).run();
  std::set<const ir::PlanNode *> asked;
  for (const std::vector<MeasuredPlan> *plans : {&all.plans, &all.refused}) {
    for (const MeasuredPlan &each : *plans)
      asked.insert(each.plan.get());
  }
  ImproveOptions few = options;
  few.asked = options.ofSketch;
  for (const Sketch &sketch : known) {
    const SketchFit fit(order, sketch);
    if (fit.ends(iterations).empty())
      continue;
    ImprovedPlans more = improvePlans(fit, order, iterations, measure, interner, few);
    for (auto [from, into] : {std::pair{&more.plans, &all.plans}, {&more.refused, &all.refused}}) {
      for (const MeasuredPlan &each : *from) {
        if (asked.insert(each.plan.get()).second)
          into->push_back({each.plan, each.measure, nullptr}); // its choice has places in the sketch
      }
    }
  }
  for (const MeasuredPlan &other : others) {
    if (!asked.insert(other.plan.get()).second)
      continue;
    PlanMeasure measured = measure(other.plan);
    std::vector<MeasuredPlan> &into = measured.refusal.empty() ? all.plans : all.refused;
    into.push_back({other.plan, std::move(measured), nullptr});
  }
  if (!known.empty() || !others.empty())
    sortByMeasure(all.plans, order, iterations, options.resolution);
  return all;
}

ir::PlanPtr firstInRank(const SketchFit &fit, const RuleOrder &order, unsigned iterations,
                        const PlanInterner &interner) {
  const Chooser chooser(fit, order, interner);
  ir::PlanPtr best;
  for (const SketchFit::Place end : fit.ends(iterations)) {
    const ir::PlanPtr plan = chooser.planOf(*chooser.first(order.root(), iterations, {0, end}));
    if (!best || comparePlans(order, plan, best, iterations).preference.order < 0)
      best = plan;
  }
  return best;
}

} // namespace tangram::composer
