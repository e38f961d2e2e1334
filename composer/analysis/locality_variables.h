// How the scalar variables of one codelet change: which are defined once, which
// step through a loop, which differ from lane to lane. The locality analysis
// (dissertation section 6.5.2), the partition check and the coverage of
// cooperative codelets all read index expressions through it.
#pragma once

#include "ir/program.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace tangram::composer {

/// A loop statement and the loop around it (null for the outermost).
struct Loop {
  const ir::Stmt *stmt = nullptr;
  const Loop *parent = nullptr;
};

/// A statement that gives a scalar variable a value. The initialisation of a
/// For belongs to the loop around it, its increment to the loop itself.
struct Update {
  const ir::Stmt *stmt = nullptr; ///< Decl or Assign
  const Loop *loop = nullptr;
  bool conditional = false; ///< may be passed over in an iteration of `loop`
};

/// `variable` = initial + step * (iteration of `loop`, from 0).
struct Induction {
  const Loop *loop = nullptr;
  ir::ExprPtr initial; ///< null: not known
  ir::ExprPtr step;    ///< the same in every iteration
};

/// Facts about the variables of one codelet; holds pointers into its body.
class Variables {
public:
  explicit Variables(const ir::Codelet &codelet);

  /// The innermost loop around `access` (a node found in the codelet's body), or null.
  const Loop *loopOf(const ir::Expr *access) const;

  /// The definition of a variable that is given a value once, where it is declared; or null.
  ir::ExprPtr definition(const ir::Var &var) const;
  /// The innermost loop around that definition, or null.
  const Loop *definedIn(const ir::Var &var) const;

  /// How `var` steps through the innermost loop that changes it, seen from `at`
  /// (the innermost loop around the use). `loop` is null when it does not step.
  Induction induction(const ir::Var &var, const Loop *at) const;

  /// Whether an iteration of `loop` may change the value of `e` (through variables
  /// given a value in the loop, or arrays written in it).
  bool changesIn(const ir::ExprPtr &e, const Loop *loop) const;

  /// Whether `e` has one value throughout a run of the codelet (in one lane): it
  /// reads no memory and no variable that is given a value twice.
  bool isFixed(const ir::ExprPtr &e) const;

  /// Whether `e` may have different values in one run of the codelet: at different
  /// times, or in different lanes.
  bool varies(const ir::ExprPtr &e) const { return !isFixed(e) || differsByLane(e); }

  /// Whether `e` may differ between lanes of the cooperative codelet at the same step.
  bool differsByLane(const ir::ExprPtr &e) const;

  /// `e` with every variable that is defined once, from values that never
  /// change, replaced by its definition (converted to the variable's type).
  /// Names stay where the whole would be very long (ir/expression_length.h).
  ir::ExprPtr closed(const ir::ExprPtr &e) const;

private:
  bool isFixed(const ir::Var &var) const;
  ir::ExprPtr meaningOf(const ir::ExprPtr &variable) const;
  void collect(const ir::StmtPtr &s, const Loop *loop, bool conditional);
  void collectLoop(const ir::StmtPtr &s, const Loop *loop);
  void note(const ir::ExprPtr &e, const Loop *loop);
  void findLaneDependent(const ir::StmtPtr &body);
  void markUpdates(const ir::StmtPtr &s, bool divergent, bool &changed);

  std::vector<std::unique_ptr<Loop>> loops_;
  std::map<const ir::Var *, std::vector<Update>> updates_;
  std::map<const ir::Var *, std::vector<const Loop *>> arrayWrites_;
  std::map<const ir::Expr *, const Loop *> loopOf_;
  std::set<const ir::Var *> laneDependent_;
  mutable std::map<const ir::Var *, bool> fixed_;           ///< those asked for so far
  mutable std::map<const ir::Var *, ir::ExprPtr> meanings_; ///< and what they are replaced by
};

} // namespace tangram::composer
