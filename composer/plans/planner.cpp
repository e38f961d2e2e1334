#include "composer/plans/planner.h"

#include "composer/analysis/sites.h"
#include "composer/plans/notation.h"
#include "composer/rules/left_out.h"
#include "composer/rules/spectrum_choice.h"

#include <algorithm>
#include <iterator>

namespace tangram::composer {

namespace {

/// Nobody composes deeper than this, and counts stay of a sane size.
constexpr unsigned mostIterations = 256;
constexpr unsigned long mostSearched = 1'000'000;
constexpr unsigned long mostSearchedAside = 100'000; ///< where a plan is only asked about
constexpr std::size_t mostNamed = 64;                ///< in a message
constexpr unsigned fewMoreIterations = 4;            ///< with which a sketch is tried
constexpr std::size_t fewOthers = 3; ///< that are good at any size, and measured at certain ones

ir::Diagnostic unknown(const std::string &what, const std::string &name,
                       const std::vector<std::string> &known, ir::SourceLocation at) {
  std::string message = "unknown " + what + " '" + name + "'";
  // Level names are too short to be mistyped.
  const std::string near = what == "level" ? "" : ir::nearest(name, known);
  if (!near.empty())
    message += ", did you mean '" + near + "'?";
  else if (!known.empty())
    message += "; known: " + linear(known);
  return ir::errorAt(std::move(at), message);
}

std::string iterationsText(unsigned n) {
  return std::to_string(n) + (n == 1 ? " iteration" : " iterations");
}

/// How many calls away the farthest spectrum is that `root` leads to: gemv -> dot -> sum is 2.
unsigned farthestCallee(const ir::Program &program, const ir::Spectrum &root) {
  std::map<const ir::Spectrum *, unsigned> distance{{&root, 0}};
  std::vector<const ir::Spectrum *> found{&root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const ir::Codelet &codelet : found[i]->codelets) {
      for (const Site &site : sites(codelet)) {
        const ir::Spectrum *callee = program.spectrum(site.expr->callee);
        if (site.kind != Site::Kind::Partition && callee &&
            distance.emplace(callee, distance[found[i]] + 1).second)
          found.push_back(callee);
      }
    }
  }
  return distance[found.back()];
}

ir::Diagnostics check(const ir::Program &program, const Machine &machine,
                      const std::string &spectrum, const PlanOptions &options) {
  ir::Diagnostics errors;
  std::vector<std::string> known;
  if (!program.spectrum(spectrum))
    errors.push_back(unknownSpectrum(program, spectrum));
  if (machine.levels.empty())
    errors.push_back(ir::errorAt({machine.file, 0, 0, 1}, "the model has no levels"));
  if (!options.level.empty() && machine.levelNamed(options.level) < 0) {
    known.clear();
    for (const Level &each : machine.levels)
      known.push_back(each.name);
    errors.push_back(unknown("level", options.level, known, {machine.file, 0, 0, 1}));
  }
  if (options.keep == 0)
    errors.push_back(ir::errorAt({}, "at least one candidate must be kept"));
  if (options.iterations > mostIterations)
    errors.push_back(ir::errorAt({}, "at most " + iterationsText(mostIterations) +
                                         " are possible, not " +
                                         std::to_string(options.iterations)));
  return errors;
}

/// Whether sizes were asked for, and even the best plan serves none of them.
bool isForNothing(const PlanOptions &options, const PlanMeasure &best) {
  return options.measureAtAny && best.isUnserved;
}

ir::Diagnostic noneServes(const ir::Spectrum &spectrum, const PlanMeasure &best) {
  return ir::errorAt(spectrum.location, "no plan of " + spectrum.name +
                                            " serves a size that was asked for: " + best.refusal);
}

} // namespace

std::variant<Planner, ir::Diagnostics> Planner::make(const ir::Program &program,
                                                     const Machine &machine,
                                                     const std::string &spectrum,
                                                     PlanOptions options) {
  ir::Diagnostics errors = check(program, machine, spectrum, options);
  auto without = leftOut(program, options.without);
  if (auto *unknown = std::get_if<ir::Diagnostics>(&without))
    std::ranges::copy(*unknown, std::back_inserter(errors));
  if (!errors.empty())
    return errors;
  options.without = std::get<std::vector<std::string>>(std::move(without));
  Planner planner;
  planner.theOptions = std::move(options);
  const PlanOptions &chosen = planner.theOptions;
  RuleContext context;
  context.program = &program;
  context.machine = &machine;
  context.target = chosen.target;
  context.without = chosen.without;
  context.mapRules = chosen.mapRules;
  context.asPrinted = chosen.asPrinted;
  const bool offered = chosen.nests == NestedMaps::Offered;
  context.nests =
      offered && chosen.strategy == PlanStrategy::Thesis ? NestedMaps::None : chosen.nests;
  if (offered && chosen.strategy == PlanStrategy::Predict) {
    RuleContext plain = context;
    plain.nests = NestedMaps::None;
    planner.plainBook = std::make_shared<RuleBook>(std::move(plain));
  }
  planner.book = std::make_shared<RuleBook>(std::move(context));
  Goal root{program.spectrum(spectrum)};
  if (!chosen.level.empty())
    root.level = machine.levelNamed(chosen.level);
  planner.settle(root);
  return planner;
}

unsigned Planner::levelsBelow(const Goal &root) const {
  const bool all = theOptions.nests == NestedMaps::Preferred;
  unsigned levels = 0;
  for (std::size_t i = static_cast<std::size_t>(root.level); i < machine().levels.size(); ++i)
    levels += all || !machine().levels[i].isOfNests() ? 1 : 0;
  return levels + 1;
}

/// How many iterations a sketch of a few more steps takes; 0: it is not of this spectrum, or takes many.
unsigned Planner::iterationsFor(const Sketch &known) const {
  const SketchFit fit(*theOrder, known);
  const unsigned most = std::min(theIterations + fewMoreIterations, mostIterations);
  for (unsigned iterations = theIterations; iterations <= most; ++iterations) {
    if (!fit.ends(iterations).empty())
      return iterations;
  }
  return 0;
}

void Planner::settle(const Goal &root) {
  theOrder = std::make_shared<RuleOrder>(*book, root);
  if (plainBook)
    plainOrder = std::make_shared<RuleOrder>(*plainBook, root);
  theIterations = plainIterations = theOptions.iterations;
  if (theOptions.iterations != 0)
    return;
  const unsigned enough = levelsBelow(root) + farthestCallee(program(), *root.spectrum);
  // A map that shares workers with the one inside is one more step on the way down.
  std::size_t nested = 0;
  for (const Goal &goal : theOrder->goals())
    nested = std::max(nested, goal.nestedIn.size());
  if (theOptions.nests == NestedMaps::Preferred)
    nested = 0; // these levels are counted already
  theIterations = std::min(std::max(enough + static_cast<unsigned>(nested), theOrder->depth(root)),
                           mostIterations);
  for (const Sketch &known : theOptions.known)
    theIterations = std::max(theIterations, iterationsFor(known));
  plainIterations =
      plainOrder ? std::min(std::max(enough, plainOrder->depth(root)), mostIterations) : 0;
}

std::variant<PlanSpace, ir::Diagnostic> Planner::space() const {
  return PlanSpace::make(*theOrder, theIterations, interner);
}

RankedPlan Planner::describe(const ir::PlanPtr &plan) const {
  RankedPlan described;
  described.plan = plan;
  described.steps = steps(plan, *book);
  described.id = planId(plan->spectrum, described.steps);
  described.tunables = tunables(plan, program(), machine());
  return described;
}

ir::Diagnostics Planner::walk(const std::function<bool(const ir::PlanPtr &)> &take) const {
  bool any = false;
  if (theOptions.strategy == PlanStrategy::All) {
    auto made = space();
    if (auto *error = std::get_if<ir::Diagnostic>(&made))
      return {*error};
    PlanCursor cursor(std::get<PlanSpace>(std::move(made)));
    for (ir::PlanPtr plan = cursor.next(); plan; plan = cursor.next()) {
      any = true;
      if (!take(plan))
        break;
    }
  } else if (isByMeasure()) {
    if (const PlanMeasure &best = improved().plans.front().measure; isForNothing(theOptions, best))
      return {noneServes(*theOrder->root().spectrum, best)};
    for (const MeasuredPlan &each : improved().plans) {
      any = true;
      if (!take(each.plan))
        break;
    }
  } else {
    for (const ir::PlanPtr &plan : searched().plans) {
      any = true;
      if (!take(plan))
        break;
    }
  }
  return any ? ir::Diagnostics{} : ir::Diagnostics{whyNone()};
}

ir::Diagnostics Planner::forEach(const std::function<bool(const RankedPlan &)> &take) const {
  // A plan is handed on when the one after it is known: the first is explained by the second.
  ir::PlanPtr previous;
  ir::PlanPtr plan;
  mpz_class rank = 0;
  auto hand = [&](const ir::PlanPtr &following) {
    RankedPlan ranked = describe(plan);
    ranked.rank = ++rank;
    if (isByMeasure()) {
      const PlanMeasure &measure = improved().plans[rank.get_ui() - 1].measure;
      ranked.why = measure.why;
      ranked.measured = measure.value;
    } else if (previous)
      ranked.why = "after the one before: " + decided(previous, plan);
    else
      ranked.why = following ? "before the next: " + decided(plan, following)
                             : "the only plan within " + iterationsText(theIterations);
    previous = plan;
    return take(ranked);
  };
  bool more = true;
  ir::Diagnostics errors = walk([&](const ir::PlanPtr &following) {
    more = !plan || hand(following);
    plan = following;
    return more;
  });
  if (plan && more)
    hand(nullptr);
  return errors;
}

bool Planner::isByMeasure() const {
  return theOptions.strategy == PlanStrategy::Predict && !improved().plans.empty();
}

const ImprovedPlans &Planner::improved() const {
  if (theImproved)
    return *theImproved;
  std::vector<MeasuredPlan> others;
  if (theOptions.measureAtAny) {
    const ImprovedPlans any = improvePlans(*theOrder, theOptions.known, {}, theIterations,
                                           theOptions.measureAtAny, interner, theOptions.improving);
    for (std::size_t i = 0; i < std::min<std::size_t>(any.plans.size(), fewOthers); ++i)
      others.push_back(any.plans[i]);
  }
  theImproved = improvePlans(*theOrder, theOptions.known, others, theIterations, theOptions.measure,
                             interner, theOptions.improving);
  return *theImproved;
}

const SearchedPlans &Planner::searched() const {
  if (!theSearched)
    theSearched = plainOrder ? searchPlans(*plainOrder, plainIterations, theOptions.keep, interner)
                             : searchPlans(*theOrder, theIterations, theOptions.keep, interner);
  return *theSearched;
}

Difference Planner::difference(const ir::PlanPtr &a, const ir::PlanPtr &b) const {
  return comparePlans(*theOrder, a, b, theIterations);
}

std::string Planner::decided(const ir::PlanPtr &a, const ir::PlanPtr &b) const {
  return toString(difference(a, b), *book);
}

SearchLog Planner::log() const {
  if (theOptions.strategy == PlanStrategy::All)
    return {};
  if (isByMeasure())
    return {{}, improved().refused, improved().plans.size()};
  SearchLog log{searched().pruned, {}, searched().plans.size()};
  if (theOptions.strategy == PlanStrategy::Predict)
    log.refused = improved().refused;
  return log;
}

Standing Planner::standing(const ir::PlanPtr &plan) const {
  Standing standing;
  const std::string id = describe(plan).id;
  walk([&](const ir::PlanPtr &each) {
    ++standing.position;
    if (planId(each->spectrum, steps(each, *book)) == id)
      standing.place = Standing::Place::Listed;
    return standing.place != Standing::Place::Listed && standing.position < mostSearchedAside;
  });
  if (standing.place != Standing::Place::Listed) {
    standing.position = 0;
    for (const MeasuredPlan &each : log().refused) {
      if (planId(each.plan->spectrum, steps(each.plan, *book)) != id)
        continue;
      standing.place = Standing::Place::Refused;
      standing.refusal = each.measure.refusal;
    }
  }
  auto all = space();
  if (const auto *known = std::get_if<PlanSpace>(&all)) {
    standing.count = known->count();
    if (const std::optional<mpz_class> index = known->indexOf(plan))
      standing.rank = *index + 1;
  }
  return standing;
}

std::optional<ir::Diagnostic> Planner::unknownName(const Sketch &sketch) const {
  std::vector<std::string> codelets;
  std::vector<std::string> levels;
  for (const ir::Spectrum &spectrum : program().spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets)
      codelets.push_back(codelet.name());
  }
  for (const Level &level : machine().levels)
    levels.push_back(level.name);
  auto fits = [](const std::string &pattern, const std::vector<std::string> &names) {
    return std::ranges::any_of(names,
                               [&](const auto &name) { return matchesPattern(pattern, name); });
  };
  for (std::size_t i = 0; i < sketch.steps().size(); ++i) {
    const auto [codelet, level] = namesIn(sketch.steps()[i]);
    std::string problem;
    if (!codelet.empty() && !fits(codelet, codelets))
      problem = unknown("codelet", codelet, codelets, {}).message;
    else if (!level.empty() && !fits(level, levels))
      problem = unknown("level", level, levels, {}).message;
    if (!problem.empty())
      return sketch.errorAt(i, problem);
  }
  return std::nullopt;
}

std::variant<RankedPlan, ir::Diagnostics> Planner::complete(const Sketch &sketch) const {
  if (auto error = unknownName(sketch))
    return ir::Diagnostics{*error};
  const SketchFit fit(*theOrder, sketch);
  if (fit.ends(theIterations).empty()) {
    ir::Diagnostic error = fit.whyNone(theIterations);
    for (unsigned more = theIterations + 1; more <= theIterations + fewMoreIterations; ++more) {
      if (fit.ends(more).empty())
        continue;
      error.notes.push_back(
          ir::noteAt({}, "with --iterations " + std::to_string(more) + " there is such a plan"));
      break;
    }
    return ir::Diagnostics{error};
  }
  if (theOptions.strategy != PlanStrategy::Predict)
    return describe(firstInRank(fit, *theOrder, theIterations, interner));
  const ImprovedPlans found = improvePlans(fit, *theOrder, theIterations, theOptions.measure,
                                           interner, theOptions.improving);
  if (found.plans.empty()) // whoever takes it says what is wrong with it
    return describe(firstInRank(fit, *theOrder, theIterations, interner));
  if (isForNothing(theOptions, found.plans.front().measure))
    return ir::Diagnostics{noneServes(*theOrder->root().spectrum, found.plans.front().measure)};
  RankedPlan best = describe(found.plans.front().plan);
  best.why = found.plans.front().measure.why;
  best.measured = found.plans.front().measure.value;
  return best;
}

std::variant<RankedPlan, ir::Diagnostics> Planner::findAnywhere(const std::string &id) const {
  auto found = find(id);
  if (std::holds_alternative<RankedPlan>(found) || theOptions.strategy == PlanStrategy::All)
    return found;
  for (const MeasuredPlan &each : log().refused) {
    if (RankedPlan plan = describe(each.plan); plan.id == id)
      return plan;
  }
  auto all = space();
  if (std::holds_alternative<ir::Diagnostic>(all))
    return found;
  PlanCursor cursor(std::get<PlanSpace>(std::move(all)));
  ir::PlanPtr plan = cursor.next();
  for (unsigned long seen = 0; plan && seen < mostSearchedAside; ++seen, plan = cursor.next()) {
    if (planId(plan->spectrum, steps(plan, *book)) == id)
      return describe(plan);
  }
  ir::Diagnostic &error = std::get<ir::Diagnostics>(found).front();
  error.notes.push_back(ir::noteAt(
      {}, plan ? "nor has one of the first " + std::to_string(mostSearchedAside) +
                     " in rank: of any other, give the notation or a saved plan instead of the id"
               : "nor has any of all plans within " + iterationsText(theIterations)));
  return found;
}

std::variant<RankedPlan, ir::Diagnostics> Planner::find(const std::string &id) const {
  std::vector<RankedPlan> found;
  std::vector<std::string> known;
  mpz_class rank = 0;
  auto look = [&](const ir::PlanPtr &plan) {
    ++rank;
    const std::string here = planId(plan->spectrum, steps(plan, *book));
    if (here == id) {
      found.push_back(describe(plan));
      found.back().rank = rank;
    }
    if (known.size() <= mostNamed)
      known.push_back(here);
    return rank < mostSearched;
  };
  ir::Diagnostics errors = walk(look);
  if (!errors.empty())
    return errors;
  // An id that a list by ranks gave is known whatever is thought of its plan.
  if (found.empty() && theOptions.strategy == PlanStrategy::Predict) {
    for (const ir::PlanPtr &plan : searched().plans)
      look(plan);
  }
  if (found.size() == 1)
    return found.front();
  const std::string where = "of " + theOrder->root().spectrum->name + " on " + machine().name +
                            " within " + iterationsText(theIterations);
  ir::Diagnostic error;
  if (found.empty()) {
    error = ir::errorAt({}, "no plan " + where + " has the id '" + id + "'");
    if (known.size() <= mostNamed)
      error.notes.push_back(ir::noteAt({}, "the plans are " + linear(known)));
  } else {
    error = ir::errorAt({}, "several plans " + where + " have the id '" + id + "'");
    for (const RankedPlan &each : found)
      error.notes.push_back(ir::noteAt({}, linear(each.steps)));
  }
  return ir::Diagnostics{error};
}

ir::Diagnostic Planner::whyNone() const {
  const Goal &root = theOrder->root();
  const RuleContext &context = book->context();
  const unsigned needed = theOrder->depth(root);
  ir::Diagnostic error =
      ir::errorAt(root.spectrum->location,
                  "no plan composes " + root.spectrum->name + " at " +
                      context.levelText(root.level) + " of " + machine().name +
                      (needed == 0 ? std::string(" within any number of iterations")
                                   : " within " + iterationsText(theIterations) + ", at least " +
                                         std::to_string(needed) + " are needed"));
  for (const Goal &goal : theOrder->goals()) {
    const RuleSet &set = book->rules(goal);
    const std::string what = toString(goal, context) + ": ";
    for (const RejectedRule &each : set.rejected)
      error.notes.push_back(
          ir::noteAt(each.refusal.location, what + each.origin() + ": " + each.refusal.reason));
    for (const ProgramRule &rule : set.rules) {
      for (const OpenGoal &open : rule.open) {
        if (theOrder->depth(open.goal) != 0)
          continue;
        const ir::Codelet *codelet = rule.codelet();
        error.notes.push_back(ir::noteAt(codelet ? codelet->location : goal.spectrum->location,
                                         what + book->label(rule) + " leaves " +
                                             toString(open.goal, context) +
                                             " open, which nothing completes"));
        break;
      }
    }
  }
  return error;
}

PlanList plans(const ir::Program &program, const Machine &machine, const std::string &spectrum,
               const PlanOptions &options, std::size_t limit) {
  PlanList list;
  auto planner = Planner::make(program, machine, spectrum, options);
  if (auto *errors = std::get_if<ir::Diagnostics>(&planner)) {
    list.errors = std::move(*errors);
    return list;
  }
  list.errors = std::get<Planner>(planner).forEach([&](const RankedPlan &plan) {
    if (list.plans.size() < limit)
      list.plans.push_back(plan);
    return list.plans.size() < limit;
  });
  return list;
}

std::variant<mpz_class, ir::Diagnostics> countPlans(const ir::Program &program,
                                                    const Machine &machine,
                                                    const std::string &spectrum,
                                                    const PlanOptions &options) {
  auto planner = Planner::make(program, machine, spectrum, options);
  if (auto *errors = std::get_if<ir::Diagnostics>(&planner))
    return *errors;
  auto space = std::get<Planner>(planner).space();
  if (auto *error = std::get_if<ir::Diagnostic>(&space))
    return ir::Diagnostics{*error};
  return std::get<PlanSpace>(space).count();
}

} // namespace tangram::composer
