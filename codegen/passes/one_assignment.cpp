#include "codegen/passes/one_assignment.h"

#include <algorithm>
#include <map>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr std::size_t mostNodes =
    100; ///< of the value, elements being one: what is used often is repeated

/// A call as comparisons, of the kinds that C's compilers know of vectors; null where it is none of these.
ExprPtr byComparing(const Expr &call) {
  if (call.args.empty())
    return nullptr;
  const auto is = [&](const char *name) { return call.callee == name; };
  const ExprPtr &a = call.args[0];
  if (is("fabs") || is("abs")) {
    const ExprPtr zero =
        isFloating(a->type.scalar) ? realLiteral(0, a->type.scalar) : intLiteral(0, a->type.scalar);
    return select(binary("<=", a, zero), binary("-", zero, a), a);
  }
  if (call.args.size() != 2)
    return nullptr;
  const ExprPtr &b = call.args[1];
  if (is("min"))
    return select(binary("<", b, a), b, a);
  if (is("max"))
    return select(binary("<", a, b), b, a);
  if (is("fmin") || is("fmax")) // the other one where one is NaN
    return select(binary("==", b, b),
                  select(is("fmin") ? binary("<", a, b) : binary(">", a, b), a, b), a);
  return nullptr;
}

/// Runs statements on expressions.
class Symbolic {
public:
  bool run(const StmtPtr &s) {
    switch (s->kind) {
    case StmtKind::Comment:
      return true;
    case StmtKind::Block:
      return std::ranges::all_of(s->children, [&](const StmtPtr &child) { return run(child); });
    case StmtKind::Decl:
      return !s->var->extent && s->value && s->value->type.scalar == s->var->type.scalar &&
             give(s->var, s->value);
    case StmtKind::Assign:
      return assigned(*s);
    case StmtKind::If:
      return branch(*s);
    default:
      return false;
    }
  }

  StmtPtr result() const {
    if (!target_ || !value_ || nodesOf(value_) > mostNodes)
      return nullptr;
    const bool adds =
        value_->kind == ExprKind::Binary && value_->op == "+" && sameExpr(value_->args[0], target_);
    if (adds && !reads(value_->args[1]))
      return assign(target_, "+=", value_->args[1]);
    return assign(target_, "=", value_);
  }

private:
  bool reads(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index && sameExpr(std::make_shared<Expr>(each), target_);
    });
  }

  static std::size_t nodesOf(const ExprPtr &e) {
    std::size_t count = 1;
    if (e->kind != ExprKind::Index) {
      for (const ExprPtr &arg : e->args)
        count += nodesOf(arg);
    }
    return count;
  }

  bool give(const VarPtr &variable, const ExprPtr &value) {
    const ExprPtr now = valueOf(value);
    if (now)
      values_[variable.get()] = now;
    return now != nullptr;
  }

  bool assigned(const Stmt &s) {
    if (s.value->type.scalar != s.target->type.scalar)
      return false;
    const ExprPtr value =
        s.op == "=" ? s.value : binary(s.op.withoutAssignment(), s.target, s.value, s.location);
    if (value->type.scalar != s.target->type.scalar)
      return false;
    if (s.target->kind == ExprKind::Var)
      return values_.contains(s.target->var.get()) && give(s.target->var, value);
    if (s.target->kind != ExprKind::Index || (target_ && !sameExpr(target_, s.target)))
      return false;
    if (!target_)
      target_ = s.target;
    const ExprPtr now = valueOf(value);
    if (now)
      value_ = now;
    return now != nullptr;
  }

  bool branch(const Stmt &s) {
    const ExprPtr condition = valueOf(s.value);
    if (!condition)
      return false;
    Symbolic yes = *this, no = *this;
    yes.guarded_ = no.guarded_ = true;
    if (!yes.run(s.children[0]) || (s.children.size() > 1 && !no.run(s.children[1])))
      return false;
    if (yes.target_ && no.target_ && !sameExpr(yes.target_, no.target_))
      return false;
    target_ = yes.target_ ? yes.target_ : no.target_;
    auto either = [&](const ExprPtr &a, const ExprPtr &b) {
      return sameExpr(a, b) ? a : select(condition, a, b);
    };
    for (auto &[variable, value] : values_)
      value = either(yes.values_.at(variable), no.values_.at(variable));
    if (yes.value_ || no.value_)
      value_ = either(yes.value_ ? yes.value_ : target_, no.value_ ? no.value_ : target_);
    return true;
  }

  /// `e` with what is known in the places of names; null where it may not be computed unasked.
  ExprPtr valueOf(const ExprPtr &e) {
    if (!note(e, guarded_))
      return nullptr;
    bool known = true;
    ExprPtr now = rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind == ExprKind::Var) {
        const auto found = values_.find(each->var.get());
        return found == values_.end() ? each : found->second;
      }
      if (each->kind == ExprKind::Index && value_ && sameExpr(each, target_))
        return value_;
      if (each->kind != ExprKind::Call)
        return each;
      const ExprPtr compared = byComparing(*each);
      known &= compared != nullptr;
      return compared ? compared : each;
    });
    return known ? now : nullptr;
  }

  /// Elements that are read in any case; whether those that are not are among them.
  bool note(const ExprPtr &e, bool guarded) {
    const auto all = [&](bool inside) {
      return std::ranges::all_of(e->args, [&](const ExprPtr &arg) { return note(arg, inside); });
    };
    switch (e->kind) {
    case ExprKind::Atomic:
      return false;
    case ExprKind::Select:
      return note(e->args[0], guarded) && note(e->args[1], true) && note(e->args[2], true);
    case ExprKind::Binary:
      if (e->op == "&&" || e->op == "||")
        return note(e->args[0], guarded) && note(e->args[1], true);
      return all(guarded) &&
             !(guarded && isInteger(e->type.scalar) && (e->op == "/" || e->op == "%"));
    case ExprKind::Index: {
      const auto isSame = [&](const ExprPtr &each) { return sameExpr(each, e); };
      if (!guarded)
        always_.push_back(e);
      return all(guarded) && (std::ranges::any_of(always_, isSame) || (target_ && isSame(target_)));
    }
    default:
      return all(guarded);
    }
  }

  bool guarded_ = false;
  std::map<const Var *, ExprPtr> values_;
  ExprPtr target_;
  ExprPtr value_; ///< of the target; null before it is assigned
  std::vector<ExprPtr> always_;
};

} // namespace

StmtPtr oneAssignment(const StmtPtr &body) {
  Symbolic symbolic;
  return symbolic.run(body) ? symbolic.result() : nullptr;
}

} // namespace tangram::codegen
