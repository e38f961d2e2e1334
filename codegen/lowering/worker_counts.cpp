#include "codegen/lowering/worker_counts.h"

#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/form/identifier.h"
#include "codegen/lowering/scope.h"
#include "codegen/lowering/value.h"
#include "composer/analysis/tunable_domains.h"
#include "ir/reserved_names.h"

#include <algorithm>
#include <cctype>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string withArticle(const std::string &title) {
  return (std::string("aeiou").find(title[0]) == std::string::npos ? "a " : "an ") + title;
}

/// Restricts the tunable to what the source says of it at `at`, in `name`'s domain; a plan for which that leaves
/// nothing of what the machine does is refused.
void limit(Tunable &tunable, const std::string &name, const TunableDomain &domain,
           const SourceLocation &at) {
  auto number = [](std::uint64_t bound) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(bound, INT64_MAX));
  };
  if (domain.kind == TunableDomain::Kind::Any)
    return;
  const std::vector<std::int64_t> before = tunable.values; // what another tunable may be
  tunable.values = composer::valuesWithin(number(tunable.min), number(tunable.max), domain);
  if (!before.empty())
    std::erase_if(tunable.values, [&](std::int64_t each) {
      return std::ranges::find(before, each) == before.end();
    });
  if (!tunable.values.empty())
    return;
  const auto range = [&](std::int64_t low, std::int64_t high, const TunableDomain &values) {
    return composer::toString(composer::rangeOf(tunable.var, low, high, values));
  };
  refuse("no value of tunable '" + name + "' will do: it is one of " +
             range(INT64_MIN, INT64_MAX, domain) + ", and the " + tunable.meaning + " are " +
             range(number(tunable.min), number(tunable.max), {}),
         at);
}

/// The owner of the workers of `level`: one worker of the level above, or one of the rows of them that there are.
std::string titleAbove(const LoweredPlan &plan, int level) {
  const composer::Machine &machine = *plan.machine;
  for (int rows : machine.dimensionsOf(level)) {
    if (plan.workers.contains(rows))
      return machine.levels[static_cast<std::size_t>(rows)].title;
  }
  for (const composer::Level &each : machine.levels) {
    if (each.subordinate == machine.baseOf(level) && !each.isOfNests())
      return each.title;
  }
  return "process";
}

} // namespace

std::string plural(const std::string &title) {
  const std::size_t end = std::min(title.find(" of "), title.size());
  return title.substr(0, end) + "s" + title.substr(end);
}

ExprPtr WorkerCounts::workersOf(int index, const std::string &name, const TunableDomain &domain,
                                const SourceLocation &at) {
  const composer::Level &workers = level(index);
  Tunable tunable;
  tunable.defaultValue = workers.workers.defaultCount;
  tunable.min = workers.workers.min;
  tunable.max = workers.workers.max;
  if (plan_.role(index) == Role::Group) {
    tunable.kind = Tunable::Kind::Launch;
    tunable.var = newVariable(name, Scalar::Index, VarKind::Param);
    tunable.meaning = "number of " + plural(workers.title) + " that share the work";
    limit(tunable, name, domain, at);
    plan_.tunables.push_back(tunable);
    return varRef(tunable.var);
  }
  auto known = plan_.workers.find(index);
  if (known != plan_.workers.end()) {
    for (Tunable &each : plan_.tunables) {
      if (known->second->kind == ExprKind::Var && each.var == known->second->var)
        limit(each, name, domain, at);
    }
    return known->second;
  }
  tunable.kind = Tunable::Kind::Compile;
  const bool rows = workers.dimension > 0;
  tunable.var =
      newVariable("NUM_" + (rows ? upperCase(level(plan_.machine->baseOf(index)).title) + "_ROWS"
                                 : upperCase(workers.title) + "S"),
                  Scalar::Index, VarKind::Param);
  tunable.meaning = plural(workers.title) + " in " + withArticle(titleAbove(plan_, index));
  limit(tunable, name, domain, at);
  plan_.tunables.push_back(tunable);
  return plan_.workers[index] = varRef(tunable.var);
}

Span WorkerCounts::spanOf(int index, const ExprPtr &count) const {
  if (isLiteral(count, 1))
    return Span::One;
  return isWorkerCount(plan_, index, count) ? Span::All : Span::Turns;
}

/// The level a map is distributed to: the subordinate one, or rows of its workers.
int WorkerCounts::workersOf(const PlanNode &map) { return map.children[0]->level; }

/// Workers along a map's splits, outermost first: what `tunable` parts are spread over.
std::vector<ExprPtr> WorkerCounts::workerCounts(const Codelet &codelet, const PlanNode &map,
                                                const Var &tunable) {
  if (map.policy == MapPolicy::Serialize) {
    ExprPtr count =
        freeTunable(codelet, tunable, "parts of " + codelet.name() + " done one after the other");
    // In the middle of a range there are many, and loops in loops multiply them.
    if (tunable.domain.kind != TunableDomain::Kind::Choice)
      plan_.tunables.back().defaultValue = plan_.machine->code.parts.defaultCount;
    return {count};
  }
  int below = workersOf(map);
  std::vector<ExprPtr> counts{workersOf(below, tunable.name, tunable.domain, tunable.location)};
  if (map.policy == MapPolicy::Split) {
    for (ExprPtr &inner : workerCounts(codelet, *map.children[0], tunable))
      counts.push_back(inner);
  }
  return counts;
}

ExprPtr WorkerCounts::freeTunable(const Codelet &codelet, const Var &source,
                                  const std::string &what) {
  Tunable tunable;
  tunable.kind = Tunable::Kind::Compile;
  tunable.var = newVariable(
      plan_.unusedTunableName(variableName(upperCase(codelet.name() + "_" + source.name))),
      Scalar::Index, VarKind::Param);
  const composer::Workers &parts = plan_.machine->code.parts;
  tunable.defaultValue = parts.defaultCount;
  tunable.min = parts.min;
  // A machine's limit is for those whose author does not say.
  tunable.max = source.domain.kind == TunableDomain::Kind::Any ? parts.max : INT32_MAX;
  tunable.meaning = what;
  limit(tunable, source.name, source.domain, source.location);
  // The first of a choice is its author's; of the numbers between two, one in the middle.
  const bool isChoice = source.domain.kind == TunableDomain::Kind::Choice;
  if (!tunable.values.empty())
    tunable.defaultValue =
        std::to_string(tunable.values[isChoice ? 0 : (tunable.values.size() - 1) / 2]);
  plan_.tunables.push_back(tunable);
  return varRef(tunable.var);
}

} // namespace tangram::codegen
