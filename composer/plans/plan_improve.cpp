#include "composer/plans/plan_improve.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace tangram::composer {

namespace {

struct Choice;
using ChoicePtr = std::shared_ptr<const Choice>;

/// A goal, the rule chosen for it, and the choices for what that leaves open: a section of the sketch.
struct Choice {
  Goal goal;
  unsigned left = 0; ///< iterations, this one included
  const ProgramRule *rule = nullptr;
  SketchFit::Section section = {};
  std::vector<ChoicePtr> below = {};
};

/// The places of codelets that plans are made without.
using Avoided = std::set<ir::SourceLocation>;

/// Whether the code calls a function of these.
bool callsOneOf(const ir::StmtPtr &body, const std::set<std::string> &functions) {
  bool found = false;
  ir::forEachExpr(body, [&](const ir::Expr &e) {
    found |= e.kind == ir::ExprKind::Call && functions.contains(e.callee);
  });
  return found;
}

/// Where the codelets begin that have the place in them: the one whose text it is in, of all instances of a
/// template, or those that call the helper function, also through others, whose text it is in.
Avoided codeletsAt(const ir::Program &program, const ir::SourceLocation &place) {
  ir::SourceLocation begin; // of the definition that the place is in
  auto meet = [&](const ir::SourceLocation &each) {
    const bool before = each.file == place.file && !(place < each);
    if (before && (!begin.valid() || begin < each))
      begin = each;
  };
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets)
      meet(codelet.location);
  }
  for (const ir::Function &function : program.functions)
    meet(function.location);
  std::set<std::string> helpers;
  for (const ir::Function &function : program.functions) { // callees before callers
    if (begin.valid() && (function.location == begin || callsOneOf(function.body, helpers)))
      helpers.insert(function.name);
  }
  Avoided codelets;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets) {
      if (begin.valid() && (codelet.location == begin || callsOneOf(codelet.body, helpers)))
        codelets.insert(codelet.location);
    }
  }
  return codelets;
}

bool isAvoided(const ProgramRule &rule, const Avoided &avoided) {
  return rule.codelet() != nullptr && avoided.contains(rule.codelet()->location);
}

/// Which rules come first for what is left open: those that goals were settled with, or those first in rank.
enum class By { Settled, Rank };

/// Makes choices that a sketch allows.
class Chooser {
public:
  Chooser(const SketchFit &fit, const RuleOrder &order, const PlanInterner &interner)
      : fit_(fit), order_(order), interner_(interner) {}

  /// The rule for the goal, and below it what `old` chose for the same goals, else the first in rank. Null:
  /// the rule cannot lead over the section.
  ChoicePtr chosen(const Goal &goal, unsigned left, const ProgramRule *rule,
                   SketchFit::Section section, const Choice *old, const Avoided &avoided = {},
                   By by = By::Settled) const {
    const auto sections = fit_.sections(*rule, goal, left, section);
    if (!sections)
      return nullptr;
    auto choice = std::make_shared<Choice>(Choice{goal, left, rule, section});
    for (std::size_t open = 0; open < rule->open.size(); ++open) {
      const Goal child = childGoal(goal, rule->open[open]);
      const SketchFit::Section &part = (*sections)[open];
      ChoicePtr kept;
      for (std::size_t i = 0; old && !kept && i < old->below.size(); ++i) {
        if (old->below[i]->goal == child && old->below[i]->section == part)
          kept = old->below[i];
      }
      choice->below.push_back(kept ? kept : first(child, left - 1, part, avoided, by));
      if (!choice->below.back())
        return nullptr;
    }
    return choice;
  }

  /// By the rule that the goal was settled with, else the first in rank, that leads over the section; null:
  /// none does.
  ChoicePtr first(const Goal &goal, unsigned left, SketchFit::Section section,
                  const Avoided &avoided = {}, By by = By::Settled) const {
    std::vector<const ProgramRule *> rules = order_.usable(goal, left);
    const auto best = std::ranges::find(rules, ruleOf(goal, section));
    if (by == By::Settled && best != rules.end())
      std::rotate(rules.begin(), best, std::next(best));
    for (const ProgramRule *rule : rules) {
      if (isAvoided(*rule, avoided))
        continue;
      if (ChoicePtr choice = chosen(goal, left, rule, section, nullptr, avoided, by))
        return choice;
    }
    return nullptr;
  }

  /// From now on the rule is the first for this goal over this section.
  void settle(const Choice &choice) {
    const auto known = settledAt(choice.goal, choice.section);
    if (known == settled_.end())
      settled_.push_back({choice.goal, choice.section, choice.rule});
    else
      settled_[static_cast<std::size_t>(known - settled_.begin())].rule = choice.rule;
  }
  void unsettle() { settled_.clear(); }
  bool isSettled(const Choice &choice) const {
    return settledAt(choice.goal, choice.section) != settled_.end();
  }

  /// The choice with all others that differ from it in its own rule; what both leave open stays.
  std::vector<ChoicePtr> withOthers(const ChoicePtr &choice) const {
    std::vector<ChoicePtr> all{choice};
    for (const ProgramRule *rule : order_.usable(choice->goal, choice->left)) {
      if (rule == choice->rule)
        continue;
      for (By by : {By::Settled, By::Rank}) {
        if (ChoicePtr other =
                chosen(choice->goal, choice->left, rule, choice->section, choice.get(), {}, by))
          all.push_back(std::move(other));
      }
    }
    return all;
  }

  ir::PlanPtr planOf(const Choice &choice) const {
    std::vector<ir::PlanPtr> slots;
    for (std::size_t i = 0; i < choice.below.size(); ++i)
      slots.push_back(slotOf(*choice.rule, i, planOf(*choice.below[i]), interner_));
    return nodeOf(*choice.rule, slots, interner_);
  }

private:
  struct Settled {
    Goal goal;
    SketchFit::Section section;
    const ProgramRule *rule = nullptr;
  };

  std::vector<Settled>::const_iterator settledAt(const Goal &goal,
                                                 const SketchFit::Section &section) const {
    return std::ranges::find_if(
        settled_, [&](const Settled &s) { return s.goal == goal && s.section == section; });
  }
  const ProgramRule *ruleOf(const Goal &goal, const SketchFit::Section &section) const {
    const auto known = settledAt(goal, section);
    return known == settled_.end() ? nullptr : known->rule;
  }

  const SketchFit &fit_;
  const RuleOrder &order_;
  const PlanInterner &interner_;
  std::vector<Settled> settled_ = {};
};

constexpr double impossible = std::numeric_limits<double>::infinity();

class Improvement {
public:
  Improvement(const SketchFit &fit, const RuleOrder &order, const MeasurePlan &measure,
              const PlanInterner &interner, const ImproveOptions &options, unsigned iterations)
      : fit_(fit), order_(order), chooser_(fit, order, interner), measure_(measure),
        options_(options), iterations_(iterations) {}

  ImprovedPlans run() {
    for (const SketchFit::Place end : fit_.ends(iterations_)) {
      for (const ProgramRule *rule : order_.usable(order_.root(), iterations_))
        begin(*rule, {0, end});
    }
    const Whole itself = [](const ChoicePtr &choice) { return choice; };
    for (std::size_t before = 0; asked_.size() != before && asked_.size() < options_.enough;) {
      before = asked_.size();
      sort();
      const std::vector<Found> begun = found_;
      std::vector<SketchFit::Section> sections;
      for (const Found &each : begun) {
        if (std::ranges::find(sections, each.choice->section) != sections.end())
          continue;
        sections.push_back(each.choice->section);
        settle(each.choice, itself);
      }
      sort();
      for (const ChoicePtr &best : bestOfRules())
        descend(best);
      chooser_.unsettle();
      again_ = true;
    }
    sort();
    for (const Found &each : found_)
      result_.plans.push_back({each.plan, each.measure});
    return std::move(result_);
  }

private:
  struct Found {
    ChoicePtr choice;
    ir::PlanPtr plan;
    PlanMeasure measure;
  };

  /// The first plan in rank that the rule begins and that is possible.
  void begin(const ProgramRule &rule, SketchFit::Section section) {
    Avoided avoided;
    while (!isAvoided(rule, avoided)) {
      const ChoicePtr choice =
          chooser_.chosen(order_.root(), iterations_, &rule, section, nullptr, avoided);
      const ir::SourceLocation refused = choice ? ask(choice) : ir::SourceLocation{};
      if (!refused.valid())
        return;
      const std::size_t before = avoided.size();
      avoided.merge(codeletsAt(*order_.book().context().program, refused));
      if (avoided.size() == before)
        return;
    }
  }

  /// From the choice for a goal to that for the whole plan.
  using Whole = std::function<ChoicePtr(const ChoicePtr &)>;

  static ChoicePtr with(const ChoicePtr &choice, std::size_t open, const ChoicePtr &below) {
    auto changed = std::make_shared<Choice>(*choice);
    changed->below[open] = below;
    return changed;
  }

  /// What is best for the goal in this plan, with what is best for the goals that it leaves open: those of the
  /// most promising rules are settled first, unless they were, in other plans.
  ChoicePtr settle(const ChoicePtr &choice, const Whole &whole) {
    std::vector<ChoicePtr> all = chooser_.withOthers(choice);
    askAll(all, whole);
    std::ranges::stable_sort(all, {}, [&](const ChoicePtr &each) { return valueOf(whole(each)); });
    ChoicePtr best = all.front();
    std::set<const ProgramRule *> promising;
    for (ChoicePtr each : all) {
      if (valueOf(whole(each)) == impossible ||
          promising.size() == options_.width * (again_ ? 2 : 1))
        break;
      if (!promising.insert(each->rule).second)
        continue;
      for (std::size_t open = 0; open < each->below.size(); ++open)
        each = withOpenSettled(each, open, whole);
      if (isBetter(whole(each), whole(best)))
        best = each;
    }
    chooser_.settle(*best);
    return best;
  }

  ChoicePtr withOpenSettled(const ChoicePtr &choice, std::size_t open, const Whole &whole) {
    const ChoicePtr old = choice->below[open];
    const auto inPlace = [&](const ChoicePtr &each) { return whole(with(choice, open, each)); };
    const ChoicePtr below = !chooser_.isSettled(*old) ? settle(old, inPlace)
                            : again_                  ? bestOf(chooser_.withOthers(old), inPlace)
                                     : chooser_.first(old->goal, old->left, old->section);
    const ChoicePtr changed = with(choice, open, below);
    return isBetter(whole(changed), whole(choice)) ? changed : choice;
  }

  /// The best that each rule of the root begins, best first.
  std::vector<ChoicePtr> bestOfRules() const {
    std::vector<ChoicePtr> best;
    for (const Found &each : found_) {
      if (std::ranges::find(best, each.choice->rule, &Choice::rule) == best.end())
        best.push_back(each.choice);
    }
    best.resize(std::min<std::size_t>(best.size(), options_.width));
    return best;
  }

  /// One rule taken for another wherever that is better, until it is nowhere.
  void descend(ChoicePtr choice) {
    const Whole itself = [](const ChoicePtr &each) { return each; };
    for (ChoicePtr before; before != choice;) {
      before = choice;
      choice = improved(choice, itself);
    }
  }

  ChoicePtr bestOf(const std::vector<ChoicePtr> &all, const Whole &whole) {
    askAll(all, whole);
    return *std::ranges::min_element(all, {},
                                     [&](const ChoicePtr &each) { return valueOf(whole(each)); });
  }

  ChoicePtr improved(const ChoicePtr &choice, const Whole &whole) {
    ChoicePtr best = bestOf(chooser_.withOthers(choice), whole);
    for (std::size_t open = 0; open < best->below.size(); ++open) {
      const ChoicePtr below = improved(
          best->below[open], [&](const ChoicePtr &each) { return whole(with(best, open, each)); });
      if (below != best->below[open])
        best = with(best, open, below);
    }
    return best;
  }

  bool isBetter(const ChoicePtr &a, const ChoicePtr &b) { return valueOf(a) < valueOf(b); }

  /// What is measured of it; `impossible` where it is refused, or enough was asked.
  double valueOf(const ChoicePtr &choice) {
    ask(choice);
    const auto known = values_.find(chooser_.planOf(*choice).get());
    return known == values_.end() ? impossible : known->second;
  }

  void askAll(const std::vector<ChoicePtr> &choices, const Whole &whole) {
    for (const ChoicePtr &each : choices)
      ask(whole(each));
  }

  /// Where the plan is refused, for a reason that has a place.
  ir::SourceLocation ask(const ChoicePtr &choice) {
    if (asked_.size() >= options_.asked)
      return {};
    ir::PlanPtr plan = chooser_.planOf(*choice);
    if (!asked_.insert(plan.get()).second)
      return {};
    kept_.push_back(plan);
    PlanMeasure measure = measure_(plan);
    if (measure.refusal.empty()) {
      values_.emplace(plan.get(), measure.value);
      found_.push_back({choice, plan, std::move(measure)});
      return {};
    }
    result_.refused.push_back({plan, std::move(measure)});
    return result_.refused.back().measure.at;
  }

  /// Best first. What is alike cannot be told apart by its measure: the best and all that are alike with it
  /// are in the order of ranks; then the same of the others.
  void sort() {
    std::ranges::sort(found_, {}, [](const Found &f) { return f.measure.value; });
    for (auto first = found_.begin(); first != found_.end();) {
      const auto last = std::find_if(std::next(first), found_.end(), [&](const Found &f) {
        return !areAlike(first->measure.value, f.measure.value, options_.resolution);
      });
      std::sort(first, last, [&](const Found &a, const Found &b) {
        return comparePlans(order_, a.plan, b.plan, iterations_).preference.order < 0;
      });
      first = last;
    }
  }

  const SketchFit &fit_;
  const RuleOrder &order_;
  Chooser chooser_;
  const MeasurePlan &measure_;
  const ImproveOptions &options_;
  unsigned iterations_;
  bool again_ = false; ///< goals that were settled are looked at once more in each plan
  std::vector<Found> found_;
  ImprovedPlans result_;
  std::set<const ir::PlanNode *> asked_;
  std::map<const ir::PlanNode *, double> values_; ///< of those that are possible
  std::vector<ir::PlanPtr> kept_;                 ///< so that addresses stay theirs
};

} // namespace

bool areAlike(double better, double value, double resolution) {
  return value <= better * (1 + resolution);
}

ImprovedPlans improvePlans(const SketchFit &fit, const RuleOrder &order, unsigned iterations,
                           const MeasurePlan &measure, const PlanInterner &interner,
                           const ImproveOptions &options) {
  return Improvement(fit, order, measure, interner, options, iterations).run();
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
