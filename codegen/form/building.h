// What passes and lowering build code from, and take loops apart by.
#pragma once

#include "ir/stmt.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tangram::codegen {

/// One of its own, whatever others are called.
ir::VarPtr newVariable(const std::string &name, ir::Scalar type = ir::Scalar::Index,
                       ir::VarKind kind = ir::VarKind::Local);

/// Another local variable of its name and type, which may hold what it may.
ir::VarPtr renewed(const ir::Var &var);

/// for (i = start; i < end; i += 1) body
ir::StmtPtr countingLoop(const ir::VarPtr &i, ir::ExprPtr end, ir::StmtPtr body,
                         ir::ExprPtr start = ir::intLiteral(0));
/// The loop, asked to be unrolled so many times, its rounds coming in vectors of `lanes` (ir/stmt.h).
ir::StmtPtr unrolledLoop(const ir::StmtPtr &loop, unsigned times, unsigned lanes = 0);

/// The Parallel, whose workers are said to copy (ir/stmt.h).
ir::StmtPtr copying(const ir::StmtPtr &workers);

/// Variables, and what to write for them.
using Substitution = std::map<const ir::Var *, ir::ExprPtr>;
ir::ExprPtr substitute(const ir::ExprPtr &e, const Substitution &with);
ir::StmtPtr substitute(const ir::StmtPtr &s, const Substitution &with);
/// `s` with variables of its own in the place of those it declares.
ir::StmtPtr withOwnVariables(const ir::StmtPtr &s);

/// How a For begins and goes on: for (i = start; ...; i += step).
struct SteppedLoop {
  ir::VarPtr i;
  ir::ExprPtr start;
  ir::ExprPtr step;
};
std::optional<SteppedLoop> steppedLoop(const ir::Stmt &s);
/// for (i = start; ...; i *= step), however the product is written, by a number above 1.
std::optional<SteppedLoop> scaledLoop(const ir::Stmt &s);

/// for (i = start; i < bound; i += step) body
struct CountedLoop {
  ir::VarPtr i;
  ir::ExprPtr start;
  ir::ExprPtr bound;
  ir::ExprPtr step;
  ir::StmtPtr body;

  /// By ones from 0.
  bool isPlain() const { return isLiteral(start, 0) && isLiteral(step, 1); }
};
std::optional<CountedLoop> countedLoop(const ir::Stmt &s);
/// The same with no way out but the end: nothing leaves it, or a round of it, and its body does not assign `i`.
std::optional<CountedLoop> loopToTheEnd(const ir::Stmt &s);

/// Whether `condition` does not hold: a < b of a >= b, of integers.
ir::ExprPtr negated(const ir::ExprPtr &condition);

/// The atomic operation on `place`; `op` and `operands` as ExprKind::Atomic has them.
ir::ExprPtr atomicAt(ir::Operator op, const ir::ExprPtr &place,
                     const std::vector<ir::ExprPtr> &operands = {},
                     const ir::SourceLocation &at = {});

/// Whether workers meet in `s`.
bool hasBarrier(const ir::StmtPtr &s);

/// The statements, with what blocks among them consist of in their places.
std::vector<ir::StmtPtr> withoutBlocks(const std::vector<ir::StmtPtr> &statements);

/// The only statement of a body besides comments; null where there are several, or none.
ir::StmtPtr onlyStatementIn(const ir::StmtPtr &body);

/// Whether a loop is in `s`, or is it.
bool hasLoop(const ir::StmtPtr &s);
/// Whether `s` has a loop with another loop in it. Loops that are unrolled or become vectors do not count.
bool hasNestOfLoops(const ir::StmtPtr &s);
/// Whether neither loops nor workers are in `s`, and nobody meets there: a loop around it is an innermost one.
bool isOfInnermostLoop(const ir::StmtPtr &s);

/// The arrays that `s` declares.
std::set<const ir::Var *> arraysDeclaredIn(const ir::StmtPtr &s);

/// Whether a statement of `s` assigns the variable.
bool assigns(const ir::StmtPtr &s, const ir::Var *variable);

/// Declares `numbers` to be where the element with this number is in an array of these extents, all elements one after the
/// other and the last dimension contiguous: number % extent, number / extent % the next one, ...
std::vector<ir::StmtPtr> placesOf(ir::ExprPtr number, const std::vector<ir::ExprPtr> &extents,
                                  const std::vector<ir::VarPtr> &numbers);

/// Whether an atomic operation is in `s`.
bool hasAtomic(const ir::StmtPtr &s);

/// The array that an element is one of; null: `e` is no element of an array.
const ir::Var *arrayOf(const ir::Expr &e);

/// The array that `s` itself changes elements of, by an assignment or a copy; null: none.
const ir::Var *arrayChangedBy(const ir::Stmt &s);

/// Variables that `s` declares or assigns.
std::set<const ir::Var *> changedIn(const ir::StmtPtr &s);

/// What the variables are made of that `s` declares with a value and assigns nowhere.
std::map<const ir::Var *, ir::ExprPtr> constantsOf(const ir::StmtPtr &s);
/// Whether `e` is made of numbers and of variables that `s` does not assign.
bool isFixedIn(const ir::ExprPtr &e, const ir::StmtPtr &s);

/// That an item reads or writes at a time at most.
inline constexpr std::int64_t vectorBytes = 16;

} // namespace tangram::codegen
