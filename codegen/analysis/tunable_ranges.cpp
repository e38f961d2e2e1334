#include "codegen/analysis/tunable_ranges.h"

#include "codegen/analysis/plan_facts.h"
#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tangram::codegen {

using namespace ir;
using composer::NarrowedRanges;
using composer::TunableCondition;
using composer::TunableRange;

namespace {

/// A 64-bit limit as the signed numbers of expressions; the largest stands for none.
std::int64_t number(std::uint64_t limit) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(limit, INT64_MAX));
}

TunableRange rangeOf(const Tunable &tunable) {
  TunableDomain domain;
  if (!tunable.values.empty())
    domain = {TunableDomain::Kind::Choice, tunable.values};
  return composer::rangeOf(tunable.var, number(tunable.min), number(tunable.max), domain);
}

/// What each launch starts, or all there is where nothing starts groups.
std::vector<StmtPtr> groupsOf(const LoweredPlan &plan) {
  std::vector<StmtPtr> groups;
  const std::function<void(const StmtPtr &)> collect = [&](const StmtPtr &s) {
    if (!s)
      return;
    if (s->kind == StmtKind::Parallel && plan.role(s->level) == Role::Group)
      return groups.push_back(s);
    std::ranges::for_each(s->children, collect);
  };
  collect(plan.body);
  return groups.empty() && plan.body ? std::vector{plan.body} : groups;
}

/// The local buffers of a launch together fit what the machine says a group has.
std::vector<TunableCondition> localMemory(const LoweredPlan &plan) {
  const composer::Level *level = levelOfLocalMemory(*plan.machine);
  std::vector<TunableCondition> conditions;
  if (!level)
    return conditions;
  const std::uint64_t most = bytesOfLocalMemory(plan);
  for (const std::vector<const Buffer *> &buffers : localBuffersOfLaunches(plan)) {
    ExprPtr bytes;
    for (const Buffer *buffer : buffers) {
      const auto size = static_cast<std::int64_t>(byteSize(buffer->var->type.scalar));
      const ExprPtr each = binary("*", elementsInGroup(plan, *buffer), intLiteral(size));
      bytes = bytes ? binary("+", bytes, each) : each;
    }
    if (bytes)
      conditions.push_back({binary("<=", bytes, intLiteral(number(most))),
                            "a " + level->title + " of " + plan.machine->name + " has " +
                                std::to_string(most) + " bytes of local memory",
                            {}});
  }
  return conditions;
}

/// A default that the range does not have gives way to the nearest number that it has.
void keepDefaultWithin(Tunable &tunable) {
  const std::optional<std::uint64_t> number = composer::plainNumber(tunable.defaultValue);
  if (!number)
    return; // what only the device knows
  const std::uint64_t wanted = *number;
  std::uint64_t nearest = std::clamp(wanted, tunable.min, std::max(tunable.min, tunable.max));
  if (!tunable.values.empty()) {
    auto distance = [&](std::int64_t value) {
      const auto each = static_cast<std::uint64_t>(value);
      return each < wanted ? wanted - each : each - wanted;
    };
    nearest = static_cast<std::uint64_t>(*std::ranges::min_element(
        tunable.values, [&](auto a, auto b) { return distance(a) < distance(b); }));
  }
  tunable.defaultValue = std::to_string(nearest);
}

/// Whether the compile tunables' defaults do what is required of them alone.
bool serveTogether(const LoweredPlan &plan) {
  return std::ranges::all_of(plan.constraints, [&](const Constraint &c) {
    const auto value = valueWith(plan, c.require, [](const Tunable &t) {
      return t.kind == Tunable::Kind::Compile ? composer::plainNumber(t.defaultValue)
                                              : std::nullopt;
    });
    return value.value_or(1) != 0;
  });
}

/// Where defaults break what is required of compile tunables together, one of them gives way: else what
/// is compiled with them would serve no size. The first that helps, as little as helps.
void keepDefaultsTogether(LoweredPlan &plan) {
  for (Tunable &tunable : plan.tunables) {
    if (serveTogether(plan))
      return;
    const std::string standard = tunable.defaultValue;
    const auto number = composer::plainNumber(standard);
    if (tunable.kind != Tunable::Kind::Compile || !number)
      continue;
    std::vector<std::uint64_t> others;
    for (std::uint64_t factor = 2; factor <= *number || *number * factor <= tunable.max;
         factor *= 2) {
      if (factor <= *number)
        others.push_back(*number / factor);
      if (*number * factor <= tunable.max)
        others.push_back(*number * factor);
      if (factor > (1U << 20U))
        break;
    }
    const bool helps = std::ranges::any_of(others, [&](std::uint64_t value) {
      const bool allowed = value >= tunable.min &&
                           (tunable.values.empty() ||
                            std::ranges::find(tunable.values, static_cast<std::int64_t>(value)) !=
                                tunable.values.end());
      tunable.defaultValue = std::to_string(value);
      return allowed && serveTogether(plan);
    });
    if (!helps)
      tunable.defaultValue = standard;
  }
}

} // namespace

const composer::Level *levelOfLocalMemory(const composer::Machine &machine) {
  for (const composer::Level &level : machine.levels) {
    const composer::Memory *local = level.memoryNamed("local");
    if (local && local->bytes != 0)
      return &level;
  }
  return nullptr;
}

std::uint64_t bytesOfLocalMemory(const LoweredPlan &plan) {
  const composer::Level *level = levelOfLocalMemory(*plan.machine);
  return level ? level->memoryNamed("local")->bytesIn(plan.target->name) : UINT64_MAX;
}

std::vector<std::vector<const Buffer *>> localBuffersOfLaunches(const LoweredPlan &plan) {
  std::vector<std::vector<const Buffer *>> all;
  for (const StmtPtr &groups : groupsOf(plan)) {
    std::set<const Var *> used;
    forEachExpr(groups, [&](const Expr &e) { used.insert(e.var.get()); });
    std::vector<const Buffer *> own;
    for (const Buffer &buffer : plan.buffers) {
      if (buffer.space != Space::Global && used.contains(buffer.var.get()))
        own.push_back(&buffer);
    }
    all.push_back(std::move(own));
  }
  return all;
}

ExprPtr elementsInGroup(const LoweredPlan &plan, const Buffer &buffer) {
  ExprPtr count = buffer.count;
  for (const auto &[level, workers] : plan.workers) {
    if (buffer.space == Space::Warp && plan.role(level) == Role::Warp)
      count = binary("*", count, workers);
  }
  return count;
}

std::optional<Refusal> TunableRanges::refusal() const {
  if (!after.conflict)
    return std::nullopt;
  const NarrowedRanges::Conflict &conflict = *after.conflict;
  const TunableRange &range = before[conflict.tunable];
  if (range.most() < range.least())
    return Refusal{"no value of " + range.var->name + " will do: it is at least " +
                       std::to_string(range.least()) + ", and at most " +
                       std::to_string(range.most()),
                   conflict.condition.location};
  return Refusal{"no value of " + range.var->name + " (" + composer::toString(range) +
                     ") will do: " + conflict.condition.reason,
                 conflict.condition.location};
}

TunableRanges tunableRanges(const LoweredPlan &plan) {
  TunableRanges ranges;
  for (const Tunable &tunable : plan.tunables)
    ranges.before.push_back(rangeOf(tunable));
  std::vector<TunableCondition> conditions;
  for (const Constraint &each : plan.constraints)
    conditions.push_back({each.require, each.reason, {}});
  for (TunableCondition &memory : localMemory(plan))
    conditions.push_back(std::move(memory));
  ranges.after = composer::narrow(ranges.before, std::move(conditions));
  return ranges;
}

void applyRanges(LoweredPlan &plan, const TunableRanges &ranges) {
  for (std::size_t i = 0; i < plan.tunables.size(); ++i) {
    const TunableRange &range = ranges.after.ranges[i];
    Tunable &tunable = plan.tunables[i];
    tunable.min = std::max(tunable.min, static_cast<std::uint64_t>(range.least()));
    if (range.most() != INT64_MAX)
      tunable.max = std::min(tunable.max, static_cast<std::uint64_t>(range.most()));
    // The order of a choice is the source's.
    std::erase_if(tunable.values, [&](std::int64_t value) {
      return std::ranges::find(range.values, value) == range.values.end();
    });
    if (tunable.values.empty())
      tunable.values = range.values;
    keepDefaultWithin(tunable);
  }
  keepDefaultsTogether(plan);
}

} // namespace tangram::codegen
