#include "codegen/passes/kernel/shared_operands.h"

#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/passes/kernel/strides.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

class OperandsOfRows {
public:
  OperandsOfRows(const StmtPtr &body, const TogetherAxis &rows, const TogetherAxis &lanes,
                 const VarPtr &lane, const std::set<const Var *> &kept)
      : byRow_(body, {rows.counter.get()}), byLane_(body, {lanes.counter.get()}),
        strides_(lanes.counter, constantsOf(body),
                 [this](const ExprPtr &e) { return byLane_.isUniform(e); }),
        lanes_(lanes), lane_(lane), kept_(kept) {}

  SharedOperands of(const std::vector<StmtPtr> &statements) {
    std::vector<StmtPtr> updates;
    for (const StmtPtr &s : statements) {
      forEach(s, [&](const Stmt &each) {
        if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var)
          assigned_.insert(each.target->var.get());
      });
      const bool isName = s->kind == StmtKind::Decl && s->value && !kept_.contains(s->var.get());
      if (isName && updates.empty())
        names_.push_back(s);
      else
        updates.push_back(s);
    }
    const bool asks = updates.size() == 1 && isGuard(*updates.front());
    const bool done = asks ? takeGuarded(*updates.front()) : takeAll(updates);
    return done ? std::move(made_) : SharedOperands{};
  }

private:
  bool isShared(const ExprPtr &e) const {
    return byRow_.isUniform(e) && !byLane_.isUniform(e) && !contains(e, [&](const Expr &each) {
             return each.var &&
                    (kept_.contains(each.var.get()) || assigned_.contains(each.var.get()));
           });
  }

  /// Whether `s` is a branch without an else whose condition may differ between lanes, but not between the rows of a lane.
  bool isGuard(const Stmt &s) const {
    return s.kind == StmtKind::If && (s.children.size() < 2 || !s.children[1]) && isShared(s.value);
  }

  /// Takes the operands of `if (inside) s += x[lane] * w;`.
  bool takeGuarded(const Stmt &guard) {
    made_.taken = perLane("taken", Scalar::I32);
    const ExprPtr isTaken = binary("!=", elementOf(made_.taken), intLiteral(0, Scalar::I32));
    for (const StmtPtr &s : withoutBlocks({guard.children[0]})) {
      if (s->kind != StmtKind::Assign || s->target->kind != ExprKind::Var ||
          !kept_.contains(s->target->var.get()))
        return false;
      const ExprPtr value = captured(s->value, true);
      if (!isForAnyLane(value))
        return false;
      const Operator combined = s->op.withoutAssignment();
      // Both values get names: compilers make a blend of a choice between two variables, and a branch of one between expressions.
      const Scalar type = s->target->type.scalar;
      const VarPtr before = newVariable("before", type), updated = newVariable("updated", type);
      made_.left.push_back(declare(before, s->target));
      made_.left.push_back(
          declare(updated, combined.empty() ? value : binary(combined, varRef(before), value)));
      made_.left.push_back(
          assign(s->target, "=", select(isTaken, varRef(updated), varRef(before)), s->location));
    }
    std::vector<StmtPtr> filled{
        assign(elementOf(made_.taken), "=", cast(Scalar::I32, guard.value))};
    for (const auto &[load, own] : loads_)
      filled.push_back(
          assign(elementOf(own), "=", select(isTaken, load, zeroOf(load->type.scalar))));
    made_.count = newVariable("together");
    finish(std::move(filled));
    return true;
  }

  /// Whether lanes that do not take part may compute the value, too, once some lane does: it has no element of theirs but what was
  /// captured, and nothing is divided by integers.
  bool isForAnyLane(const ExprPtr &value) const {
    return !contains(value, [&](const Expr &e) {
      if (e.kind == ExprKind::Binary && (e.op == "/" || e.op == "%"))
        return isInteger(e.type.scalar);
      return e.kind == ExprKind::Atomic ||
             (e.kind == ExprKind::Index && !isCaptured(e) && !byLane_.isUniform(e.args[1]));
    });
  }

  bool isCaptured(const Expr &element) const {
    return std::ranges::any_of(
        loads_, [&](const auto &load) { return load.second == element.args[0]->var; });
  }

  /// Takes the operands of `s += x[4 * lane] * w;`.
  bool takeAll(const std::vector<StmtPtr> &updates) {
    for (const StmtPtr &s : updates) {
      if (s->kind != StmtKind::Assign)
        return false;
      made_.left.push_back(withValue(s, captured(s->value, false)));
    }
    if (loads_.empty())
      return false;
    std::vector<StmtPtr> filled;
    for (const auto &[load, own] : loads_)
      filled.push_back(assign(elementOf(own), "=", load));
    finish(std::move(filled));
    return true;
  }

  void finish(std::vector<StmtPtr> filled) {
    made_.filled = withNames(std::move(filled));
    made_.left = withNames(std::move(made_.left));
  }

  /// `statements` behind the declarations of the names that they mention. A name that depends on the row is not mentioned where lanes
  /// are filled, before the loop over rows.
  std::vector<StmtPtr> withNames(std::vector<StmtPtr> statements) const {
    for (std::size_t k = names_.size(); k-- > 0;) {
      if (mentions(block(statements), names_[k]->var.get()))
        statements.insert(statements.begin(), names_[k]);
    }
    return statements;
  }

  static StmtPtr withValue(const StmtPtr &s, const ExprPtr &value) {
    auto own = std::make_shared<Stmt>(*s);
    own->value = value;
    return own;
  }

  ExprPtr elementOf(const VarPtr &own) const { return index(varRef(own), {varRef(lane_)}); }

  VarPtr perLane(const std::string &name, Scalar type) {
    auto own = std::make_shared<Var>(*newVariable(name, type));
    own->extent = lanes_.count;
    made_.declared.push_back(declare(own, nullptr));
    return own;
  }

  /// `e` with elements of the lanes' arrays in the place of what rows share: everything (`all`), or what lanes do not read side by
  /// side. Operands under a condition within `e` stay.
  ExprPtr captured(const ExprPtr &e, bool all) {
    if (e->kind == ExprKind::Select || (e->kind == ExprKind::Binary && e->op.isLogic()))
      return e;
    if (e->kind == ExprKind::Index) {
      if (!isShared(e) || !isNumber(e->type.scalar) || !(all || isStrided(e->args[1])))
        return e;
      const auto known =
          std::ranges::find_if(loads_, [&](const auto &load) { return sameExpr(load.first, e); });
      if (known != loads_.end())
        return elementOf(known->second);
      loads_.emplace_back(e, perLane(e->args[0]->var->name + "_lanes", e->type.scalar));
      return elementOf(loads_.back().second);
    }
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(captured(arg, all));
    return withArgs(e, std::move(args));
  }

  static bool isNumber(Scalar type) { return isInteger(type) || isFloating(type); }

  /// Whether the elements of neighbouring lanes are known not to be neighbours. An unknown factor is taken not to be 1.
  bool isStrided(const ExprPtr &position) const {
    const auto stride = strides_.of(position);
    return stride && (!stride->isNumber || stride->elements > 1 || stride->elements < -1);
  }

  Varying byRow_, byLane_;
  Strides strides_; ///< along lanes
  const TogetherAxis &lanes_;
  VarPtr lane_;
  const std::set<const Var *> &kept_;
  std::set<const Var *> assigned_; ///< by the statements
  std::vector<StmtPtr> names_;
  std::vector<std::pair<ExprPtr, VarPtr>> loads_; ///< with the arrays that they fill
  SharedOperands made_;
};

} // namespace

SharedOperands sharedOperands(const std::vector<StmtPtr> &statements, const StmtPtr &body,
                              const TogetherAxis &rows, const TogetherAxis &lanes,
                              const VarPtr &lane, const std::set<const Var *> &kept) {
  return OperandsOfRows(body, rows, lanes, lane, kept).of(statements);
}

} // namespace tangram::codegen
