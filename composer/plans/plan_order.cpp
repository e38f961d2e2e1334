#include "composer/plans/plan_order.h"

#include "composer/plans/notation.h"

#include <algorithm>

namespace tangram::composer {

namespace {

/// Preferred when exactly one of two rules satisfies a condition (figure 6.5: prefer(cond)).
std::optional<Preference> prefer(bool a, bool b, Criterion criterion) {
  if (a == b)
    return std::nullopt;
  return Preference{a ? -1 : 1, criterion};
}

bool matches(const ProgramRule &rule, const RuleContext &context) {
  if (!context.machine || rule.tiling == Tiling::None)
    return false;
  return context.machine->levels[static_cast<std::size_t>(rule.goal.level)].prefers == rule.tiling;
}

std::optional<Difference> differ(const RuleOrder &order, const Goal &goal, const ir::PlanPtr &a,
                                 const ir::PlanPtr &b, unsigned iteration, unsigned iterations) {
  if (a == b)
    return std::nullopt;
  const ProgramRule *first = order.book().ruleOf(*a, &goal);
  const ProgramRule *second = order.book().ruleOf(*b, &goal);
  if (!first || !second)
    return std::nullopt;
  if (first != second)
    return Difference{
        compareRules(*first, *second, goal, order.book().context(), iteration == iterations),
        iteration, goal, first, second};
  for (const OpenGoal &open : first->open) {
    if (auto found = differ(order, childGoal(goal, open), subplan(*a, open), subplan(*b, open),
                            iteration + 1, iterations))
      return found;
  }
  return std::nullopt;
}

std::string tilingName(Tiling tiling) {
  return tiling == Tiling::Strided ? "strided" : tiling == Tiling::Adjacent ? "adjacent" : "no";
}

} // namespace

Preference compareRules(const ProgramRule &a, const ProgramRule &b, const Goal &goal,
                        const RuleContext &context, bool lastIteration) {
  if (&a == &b)
    return {};
  std::optional<Preference> found;
  auto decide = [&](bool first, bool second, Criterion criterion) {
    if (!found)
      found = prefer(first, second, criterion);
  };
  // Criteria of our own.
  auto decideBeyond = [&](bool first, bool second, Criterion criterion) {
    if (!context.asPrinted)
      decide(first, second, criterion);
  };
  if (lastIteration) {
    decide(a.computes, b.computes, Criterion::Computes);
    if (a.computes && b.computes)
      decide(a.vectorizes, b.vectorizes, Criterion::Vectorizes);
  } else {
    const bool scalar =
        context.machine &&
        context.machine->levels[static_cast<std::size_t>(goal.level)].compute == Capability::Scalar;
    if (goal.tiled == Tiled::Tile && scalar)
      decideBeyond(a.computes, b.computes, Criterion::Tile);
    else if (goal.tiled == Tiled::Tile)
      decideBeyond(a.folds, b.folds, Criterion::Reuse);
    else
      decideBeyond(a.tiles, b.tiles, Criterion::Tiles);
    if (goal.combines)
      decideBeyond(!a.distributes, !b.distributes, Criterion::NewParallelism);
    if (goal.handedOver)
      decideBeyond(a.worksAhead, b.worksAhead, Criterion::WorksAhead);
    decide(a.distributes, b.distributes, Criterion::Distributes);
    if (a.distributes && b.distributes) {
      const bool wanted = context.nests == NestedMaps::Preferred;
      decideBeyond(a.acrossDimensions == wanted, b.acrossDimensions == wanted,
                   Criterion::Dimensions);
      decide(matches(a, context), matches(b, context), Criterion::Partitioning);
    }
    decide(a.vectorizes, b.vectorizes, Criterion::Vectorizes);
  }
  decideBeyond(!a.serializes, !b.serializes, Criterion::Serializes);
  decideBeyond(a.computes, b.computes, Criterion::Computes);
  decide(a.tunable, b.tunable, Criterion::Tunable);
  decide(a.position < b.position, b.position < a.position, Criterion::Position);
  return found.value_or(Preference{});
}

Goal childGoal(const Goal &goal, const OpenGoal &open) {
  Goal child = open.goal;
  child.combines |= goal.combines && child.level == goal.level;
  if (child.tiled == Tiled::No && !goal.map && !open.policy && child.level != goal.level)
    child.tiled = goal.tiled;
  child.handedOver |= goal.handedOver && !goal.map && !open.policy && child.level != goal.level;
  return child;
}

RuleOrder::RuleOrder(const RuleBook &book, const Goal &root) : rules(&book), theRoot(root) {
  auto add = [&](const Goal &goal) {
    if (depths.emplace(goal.unordered(), 0).second)
      reachable.push_back(goal.unordered());
  };
  add(root);
  for (std::size_t i = 0; i < reachable.size(); ++i) {
    for (const ProgramRule &rule : book.rules(reachable[i]).rules) {
      for (const OpenGoal &open : rule.open)
        add(open.goal);
    }
  }
  // A pass finds every goal that is one iteration away from those known: at most one pass a goal.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Goal &goal : reachable) {
      unsigned &best = depths[goal];
      for (const ProgramRule &rule : book.rules(goal).rules) {
        const unsigned here = depthOf(rule);
        if (here != 0 && (best == 0 || here < best)) {
          best = here;
          changed = true;
        }
      }
    }
  }
}

unsigned RuleOrder::depth(const Goal &goal) const {
  auto found = depths.find(goal.unordered());
  return found == depths.end() ? 0 : found->second;
}

unsigned RuleOrder::depthOf(const ProgramRule &rule) const {
  unsigned deepest = 0;
  for (const OpenGoal &open : rule.open) {
    const unsigned below = depth(open.goal);
    if (below == 0)
      return 0;
    deepest = std::max(deepest, below);
  }
  return deepest + 1;
}

const std::vector<const ProgramRule *> &RuleOrder::usable(const Goal &goal, unsigned left) const {
  auto [slot, fresh] = orders.try_emplace(std::pair{goal, left});
  std::vector<const ProgramRule *> &order = slot->second;
  if (!fresh)
    return order;
  for (const ProgramRule &rule : rules->rules(goal).rules) {
    const unsigned needed = depthOf(rule);
    if (needed != 0 && needed <= left)
      order.push_back(&rule);
  }
  std::ranges::sort(order, [&](const ProgramRule *a, const ProgramRule *b) {
    return compareRules(*a, *b, goal, rules->context(), left == 1).order < 0;
  });
  return order;
}

Difference comparePlans(const RuleOrder &order, const ir::PlanPtr &a, const ir::PlanPtr &b,
                        unsigned iterations) {
  return differ(order, order.root(), a, b, 1, iterations).value_or(Difference{});
}

std::string toString(const Difference &difference, const RuleBook &book) {
  if (difference.preference.order == 0)
    return "the plans are the same";
  const bool firstWins = difference.preference.order < 0;
  const std::string winner = book.label(firstWins ? *difference.first : *difference.second);
  const std::string loser = book.label(firstWins ? *difference.second : *difference.first);
  const std::string level = book.context().levelText(difference.goal.level);
  std::string text = "iteration " + std::to_string(difference.iteration) + ", " +
                     toString(difference.goal, book.context()) + ": ";
  switch (difference.preference.criterion) {
  case Criterion::Tile:
    return text + winner + " computes the tile, " + loser + " takes it apart again";
  case Criterion::Reuse:
    return text + winner +
           " takes parts of chosen sizes one after the other, which fit memory near " +
           "the workers of " + level + ", " + loser + " does not";
  case Criterion::Tiles:
    return text + winner + " distributes tiles, each of which uses again what it reads, " + loser +
           " does not";
  case Criterion::NewParallelism:
    return text + loser + " distributes the results of a map distributed at " + level +
           " again, which extracts no new parallelism, " + winner + " does not";
  case Criterion::WorksAhead:
    return text + winner + " works before it waits for the element before, " + loser + " does not";
  case Criterion::Distributes:
    return text + winner + " distributes, " + loser + " does not";
  case Criterion::Dimensions:
    return book.context().nests == NestedMaps::Preferred
               ? text + winner + " distributes along one of several dimensions, " + loser +
                     " does not"
               : text + winner + " distributes one map alone, " + loser +
                     " has it share workers with the map inside";
  case Criterion::Partitioning: {
    const Tiling prefers =
        book.context().machine->levels[static_cast<std::size_t>(difference.goal.level)].prefers;
    return text + winner + " partitions as " + level + " prefers (" + tilingName(prefers) + "), " +
           loser + " does not";
  }
  case Criterion::Vectorizes:
    return text + winner + " vectorizes, " + loser + " does not";
  case Criterion::Computes:
    return text + winner + " computes, " + loser + " leaves a compose open";
  case Criterion::Serializes:
    return text + loser + " serializes a map, " + winner + " does not";
  case Criterion::Tunable:
    return text + winner + " has a tunable, " + loser + " does not";
  case Criterion::Position:
    return text + winner + " and " + loser + " are alike, " + winner + " comes first";
  case Criterion::None:
    break;
  }
  return text + winner + " comes first";
}

} // namespace tangram::composer
