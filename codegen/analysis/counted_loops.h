// Questions about counted loops: which are short, what their rounds change, and what stays the same in all of them.
#pragma once

#include "codegen/form/building.h"
#include "codegen/form/kernel_ir.h"

#include <optional>
#include <set>

namespace tangram::codegen {

/// Whether `bound` is of as many rounds as the source, or whoever compiles, says.
bool isShort(const LoweredPlan &plan, const ir::ExprPtr &bound);

/// Whether the loops in `round` are short, no groups start in it, and no workers meet.
bool hasOnlyShortLoops(const LoweredPlan &plan, const ir::StmtPtr &round);

/// The variables that a round of the loop declares or assigns, and the loop's counter.
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
