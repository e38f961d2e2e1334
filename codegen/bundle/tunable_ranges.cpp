#include "codegen/bundle/tunable_ranges.h"

#include "composer/machine/machine_expression.h"

#include <algorithm>

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

/// Local buffers together fit what the machine says a worker has.
std::optional<TunableCondition> localMemory(const LoweredPlan &plan) {
  ExprPtr bytes;
  for (const Buffer &buffer : plan.buffers) {
    if (buffer.space != Space::Local)
      continue;
    ExprPtr each = binary("*", buffer.count,
                          intLiteral(static_cast<std::int64_t>(byteSize(buffer.var->type.scalar))));
    bytes = bytes ? binary("+", bytes, each) : each;
  }
  if (!bytes)
    return std::nullopt;
  for (const composer::Level &level : plan.machine->levels) {
    const composer::Memory *local = level.memoryNamed("local");
    if (local && local->bytes != 0)
      return TunableCondition{binary("<=", bytes, intLiteral(number(local->bytes))),
                              "a " + level.title + " of " + plan.machine->name + " has " +
                                  std::to_string(local->bytes) + " bytes of local memory",
                              {}};
  }
  return std::nullopt;
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

} // namespace

std::optional<Refusal> TunableRanges::refusal() const {
  if (!after.conflict)
    return std::nullopt;
  const NarrowedRanges::Conflict &conflict = *after.conflict;
  const TunableRange &range = before[conflict.tunable];
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
  if (std::optional<TunableCondition> memory = localMemory(plan))
    conditions.push_back(*memory);
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
}

} // namespace tangram::codegen
