// Rounds of a loop in which something past the ends of a container may be asked for, apart from those
// in which nothing is (pad in the language).
#pragma once

#include "codegen/form/building.h"
#include "codegen/form/kernel_ir.h"

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

/// before: for (j < n) out[j] = in[min(max(j + s, 1) - 1, m)];
/// after:  for (j < first) ...;  for (j = first; j < last; j += 1) out[j] = in[j + s - 1];  for (j = last; j < n) ...
/// for loops of so many rounds as only a call says, the innermost such ones; loops of constant length
/// and lanes in them go with them.
LoweredPlan splitEdges(LoweredPlan plan);

/// The same where workers of a group are no loops: groups in which nothing past an end is asked for, apart
/// from the others (codegen/passes/kernel/split_groups.cpp).
LoweredPlan splitGroups(LoweredPlan plan);

/// What is left of these inside, in the rounds of loops: before one over elements of a row that is inside, by row; and where
/// workers of a group are no loops, by the rounds of loops that go along a dimension (codegen/passes/kernel/split_rounds.cpp).
LoweredPlan splitRounds(LoweredPlan plan, bool itemsAreLoops);

// What they go by, and others that look at loops.

/// The loops that the loop is cut into, and the one of them that is inside, if it is by ones over as many rounds as a
/// call says, with no other such loop in it, and some of its rounds are known to be inside.
struct LoopParts {
  std::vector<ir::StmtPtr> all;
  std::size_t inside = 0;
};
std::optional<LoopParts> splitLoop(const LoweredPlan &plan, const ir::StmtPtr &s);
/// The same of lanes, as many as a call says.
std::optional<LoopParts> splitLanes(const LoweredPlan &plan, const ir::StmtPtr &s);

/// Whether `bound` is of as many rounds as the source, or whoever compiles, says.
bool isShort(const LoweredPlan &plan, const ir::ExprPtr &bound);

/// Whether the loops in `round` are short, no groups start in it, and no workers meet.
bool hasOnlyShortLoops(const LoweredPlan &plan, const ir::StmtPtr &round);

/// What a round of the loop declares or assigns, and the loop's counter.
std::set<const ir::Var *> changedIn(const CountedLoop &loop);

/// Whether `e` has one value in all rounds of a loop that changes these, which can be computed before the first:
/// nothing is read, and no divisor is 0, even where there is no round.
bool staysInRounds(const LoweredPlan &plan, const ir::ExprPtr &e,
                   const std::set<const ir::Var *> &changing);

/// Whether it is 1 at least: a number, or one of workers.
bool isCount(const LoweredPlan &plan, const ir::ExprPtr &e);

/// Whether a <= b as far as that follows from how they are made.
bool isAtMost(const LoweredPlan &plan, const ir::ExprPtr &a, const ir::ExprPtr &b);

/// for (i; i + 2 < n; ...) as for (i; i < n - 2; ...), none where n is less; others as countedLoop().
std::optional<CountedLoop> loopUpTo(const ir::Stmt &s);

} // namespace tangram::codegen
