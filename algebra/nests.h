// A nest of loops as loops, accesses and what its rounds share.
//
// Loops have counters that go up by one from a first value to an end, or down; statements stand among them at any depth. An
// access names an element of a container by one polynomial a dimension, over the counters of the loops around it,
// sizes and parameters. A subscript that depends on data, or on what changes in a loop, is opaque.
//
// Two questions are answered here. A loop is *apart* when different rounds of it, at whatever rounds of the other
// loops, touch no element that one of them writes: its rounds may be cut into blocks that different workers do. A
// loop is *independent* when that holds for equal rounds of the loops around it. Sources: Allen & Kennedy,
// Optimizing Compilers for Modern Architectures, chapters 2 and 5.
#pragma once

#include "algebra/inequalities.h"
#include "algebra/nest_reason.h"
#include "ir/program.h"

#include <optional>
#include <variant>
#include <vector>

namespace tangram::algebra {

struct NestLoop {
  const ir::Stmt *statement = nullptr; ///< For
  ir::VarPtr counter;
  Atom atom = 0;         ///< the counter in polynomials
  Polynomial first, end; ///< rounds first <= counter < end
  int around = -1;       ///< the loop around it; -1: none
  /// `first` and `end` are known.
  bool isCounted = false;
  /// Its rounds go from the one before `end` down to `first`.
  bool countsDown = false;
  /// The end depends on other counters, so that rounds of several loops are no box.
  bool endDependsOnCounters = false;
  /// A `break` leaves it.
  bool leavesEarly = false;
};

struct NestAccess {
  const ir::Expr *expr = nullptr; ///< Index
  ir::VarPtr array;               ///< a parameter that is a container
  /// One a dimension; none where it is opaque.
  std::vector<std::optional<Polynomial>> place;
  bool reads = false, writes = false;
  int loop = -1; ///< innermost loop around it
  /// Conditions on the way to it, of `if`, `?:`, `&&`, `||`, loops that do not count up, and each `continue` and `break`
  /// before it: some rounds may not get there.
  std::vector<ir::ExprPtr> conditions = {};
  /// The atomic operation that changes it and whose value nothing uses; null: there is none.
  ir::ExprPtr atomic = nullptr;

  const ir::SourceLocation &location() const { return expr->location; }
};

/// Whether two atomic operations may be done in either order: both add, both find a minimum or maximum, or both store the
/// same constant.
bool commute(const NestAccess &a, const NestAccess &b);

/// A local variable that statements of a loop change.
struct NestChange {
  ir::VarPtr variable;
  const ir::Stmt *statement = nullptr; ///< Assign or Decl
  int loop = -1;                       ///< innermost loop around the statement
  int declaredIn = -1;                 ///< innermost loop around the declaration
};

/// The loops of a codelet, which has to outlive it, in source order, outer before inner.
struct Nest {
  std::vector<NestLoop> loops;
  std::vector<NestAccess> accesses;
  std::vector<NestChange> changes;
  /// Locals that are names of polynomials over counters, sizes and parameters, and their declarations.
  std::vector<const ir::Stmt *> names;
  /// The requirements of the codelet, names of values, and the bounds of all counters.
  mutable Inequalities facts;
  /// The same without bounds: what holds where a loop has no rounds, too.
  Inequalities sizes;

  /// The value of an integer expression, arithmetic being exact: what positions in containers are.
  Polynomial valueOf(const ir::ExprPtr &e) const;

  /// Whether `inner` is `outer` or stands in it; every loop stands in -1.
  bool isIn(int inner, int outer) const;
  /// The counters' atoms of all loops.
  bool isCounter(Atom atom) const;
  bool mentionsCounter(const Polynomial &p) const;
  /// Whether the value may be another one in another round of the loop: it names the counter, or something that is
  /// not made of counters, sizes and parameters alone.
  bool mayDependOn(const ir::ExprPtr &e, int loop) const;
  /// Loop of this statement, or -1.
  int loopOf(const ir::Stmt &statement) const;
  /// `loop` and those around it, inner first.
  std::vector<int> loopsFrom(int loop) const;
  /// From now on the counters of these loops are within their bounds.
  void assumeBounds(const std::vector<int> &loops, Inequalities &facts) const;
};

/// The nest of a codelet that runs on one worker. Loops that do not count one by one (`while`, `i /= 2`) are
/// statements of the loop around them. Reason: a loop that returns in its middle, atomic operations whose value is used,
/// views.
std::variant<Nest, NestReason> nestOf(const ir::Codelet &codelet);

/// Why rounds of loop `loop` may not be cut into blocks; nothing where they may. With `sameOuterRounds`, for equal
/// rounds of the loops around it only. Atomic operations that commute may meet. Elements are told apart by one subscript, x times a constant and what is the same
/// in both, or by the bounds of counters: a[i][k] with i > k is no a[k][k].
std::optional<NestReason> whyNotApart(const Nest &nest, int loop, bool sameOuterRounds);

/// Whether `a` in some round of the loop may touch what `b` touches in a round before that one, or with `orSame` in the
/// same round, in equal rounds of the loops around.
bool mayMeetBefore(const Nest &nest, const NestAccess &a, const NestAccess &b, int loop,
                   bool orSame);

} // namespace tangram::algebra
