// What the tuner has to try: the ranges of a plan's tunables, narrowed by the conditions on them
// until nothing changes, instead of trying values and refusing them.
//
// After Algorithm 2 of Mogers, "Guided Rewriting and Constraint Satisfaction for Parallel GPU Code
// Generation" (2023), section 4.3.3, extended to bounds over several tunables: each occurrence of a
// tunable in `a <= b` is isolated (through + - * / min max), the others standing for their smallest
// or largest value. Sizes that only a run knows stay symbols. A value that satisfies all conditions
// for some values of the other tunables is never removed.
#pragma once

#include "ir/expr.h"
#include "ir/source_location.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// The values a tunable may have.
struct TunableRange {
  ir::VarPtr var;
  /// Both included, over sizes (and, when given to narrow(), other tunables). A null `high`: no limit.
  ir::ExprPtr low;
  ir::ExprPtr high;
  /// Only these, ascending; empty: every integer from low to high.
  std::vector<std::int64_t> values;

  /// The ends where they are numbers, else 0 and INT64_MAX.
  std::int64_t least() const;
  std::int64_t most() const;
};

/// What the source allows from low to high, in its order; empty where it lists nothing, or nothing
/// in these bounds.
std::vector<std::int64_t> valuesWithin(std::int64_t low, std::int64_t high,
                                       const ir::TunableDomain &domain);

/// [low, high], restricted to what the source says of the tunable.
TunableRange rangeOf(const ir::VarPtr &var, std::int64_t low, std::int64_t high,
                     const ir::TunableDomain &domain);

/// "1..1024", "16, 32, 64", "1..min(in_size, 1024)", "4"; "1.." without a limit.
std::string toString(const TunableRange &range);

/// What has to hold of tunables and sizes.
struct TunableCondition {
  ir::ExprPtr require;
  std::string reason; ///< for people: "kog needs in.size() <= coopDim()"
  ir::SourceLocation location;
};

struct NarrowedRanges {
  std::vector<TunableRange> ranges; ///< as many, in the order given
  /// Conditions that the ranges alone do not imply: to be checked for each choice of values.
  std::vector<TunableCondition> left;
  /// The condition that left a tunable without a value, and that tunable's index.
  struct Conflict {
    std::size_t tunable = 0;
    TunableCondition condition;
  };
  std::optional<Conflict> conflict;
};

/// Narrow `ranges` by `conditions`. `facts`: conditions on sizes that hold anyway.
NarrowedRanges narrow(std::vector<TunableRange> ranges, std::vector<TunableCondition> conditions,
                      const std::vector<ir::ExprPtr> &facts = {});

} // namespace tangram::composer
