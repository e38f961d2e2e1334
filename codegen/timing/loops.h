// What predictions ask of a loop.
#pragma once

#include "ir/stmt.h"

#include <vector>

namespace tangram::codegen {

/// Operations and accesses of a statement, each once; not those of loops in it, nor those that find a place.
double operationsIn(const ir::StmtPtr &s);

/// Integers that a loop's body changes and did not declare.
std::vector<const ir::Var *> carried(const ir::StmtPtr &body);

/// Whether a loop's body, which assigns these, leaves what its condition and increment ask for alone.
bool isCounted(const ir::Stmt &loop, const std::vector<const ir::Var *> &assigned);

/// Whether the loop waits for what others write: mostly that is there already.
bool spins(const ir::Stmt &loop);

constexpr int mostUnrolled = 16; ///< rounds that compilers write one after the other

/// A loop of a few rounds, which the text tells: compilers write them one after the other.
bool isShort(const ir::Stmt &loop);

/// The one loop in `loop` that is not short; null where there is none, or several.
const ir::Stmt *onlyLoopIn(const ir::Stmt &loop);

/// A loop that a compiler makes vectors of, where neighbours are neighbours in memory: no variable is carried but
/// counters, sums and the like, which nothing else asks for, and all choices are between values. There may be short loops
/// in it, and `inner`.
bool isSimple(const ir::Stmt &loop, const ir::Stmt *inner = nullptr);

/// The rounds of a loop that goes on as long as two numbers differ by as much as `gap` or less, on the same
/// side; `nextGap`: a round later.
double roundsOf(double gap, double nextGap);

/// How many divisions and functions of mathematics, one after the other, lie between a floating-point variable that a
/// loop carries from round to round and its next value: no round begins them before the one before it has ended them.
double dependentDivisions(const ir::Stmt &loop);

/// The same of all floating-point operations; a product and the sum that it is added to are one.
double dependentOperations(const ir::Stmt &loop);

} // namespace tangram::codegen
