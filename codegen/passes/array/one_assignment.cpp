#include "codegen/passes/array/one_assignment.h"

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
    const ExprPtr zero = zeroOf(a->type.scalar);
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

  /// In an order in which none reads what one before it has assigned; none where there is no such order.
  std::vector<StmtPtr> results() const {
    std::vector<StmtPtr> all;
    std::vector<Target> left = targets_;
    while (!left.empty()) {
      const auto next = std::ranges::find_if(left, [&](const Target &t) {
        return std::ranges::none_of(left, [&](const Target &other) {
          return !sameExpr(other.element, t.element) && reads(other.value, t.element);
        });
      });
      if (next == left.end() || nodesOf(next->value) > mostNodes)
        return {};
      all.push_back(assignment(*next));
      left.erase(next);
    }
    return all;
  }

private:
  struct Target {
    ExprPtr element;
    ExprPtr value;
  };

  static StmtPtr assignment(const Target &t) {
    const bool adds = t.value->kind == ExprKind::Binary && t.value->op == "+" &&
                      sameExpr(t.value->args[0], t.element);
    if (adds && !reads(t.value->args[1], t.element))
      return assign(t.element, "+=", t.value->args[1]);
    return assign(t.element, "=", t.value);
  }

  static bool reads(const ExprPtr &e, const ExprPtr &element) {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index && sameExpr(std::make_shared<Expr>(each), element);
    });
  }

  const Target *targetAt(const ExprPtr &element) const {
    const auto found = std::ranges::find_if(
        targets_, [&](const Target &t) { return sameExpr(t.element, element); });
    return found == targets_.end() ? nullptr : &*found;
  }

  void give(const ExprPtr &element, const ExprPtr &value) {
    for (Target &each : targets_) {
      if (sameExpr(each.element, element)) {
        each.value = value;
        return;
      }
    }
    targets_.push_back({element, value});
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
    const Scalar type = s.target->type.scalar;
    if (s.value->type.scalar != type &&
        (s.op != "=" || !isInteger(type) || !isInteger(s.value->type.scalar)))
      return false;
    const ExprPtr value = s.op == "="
                              ? (s.value->type.scalar == type ? s.value : cast(type, s.value))
                              : binary(s.op.withoutAssignment(), s.target, s.value, s.location);
    if (value->type.scalar != s.target->type.scalar)
      return false;
    if (s.target->kind == ExprKind::Var)
      return values_.contains(s.target->var.get()) && give(s.target->var, value);
    const auto mayBeSame = [&](const ExprPtr &each) {
      return each->args[0]->var == s.target->args[0]->var && !sameExpr(each, s.target);
    };
    if (s.target->kind != ExprKind::Index || std::ranges::any_of(written_, mayBeSame))
      return false;
    written_.push_back(s.target);
    const ExprPtr now = valueOf(value);
    if (now)
      give(s.target, now);
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
    auto either = [&](const ExprPtr &a, const ExprPtr &b) {
      return sameExpr(a, b) ? a : select(condition, a, b);
    };
    for (auto &[variable, value] : values_)
      value = either(yes.values_.at(variable), no.values_.at(variable));
    for (const ExprPtr &one : yes.written_) {
      for (const ExprPtr &other : no.written_) {
        if (one->args[0]->var == other->args[0]->var && !sameExpr(one, other))
          return false;
      }
    }
    for (const Symbolic *branch : {&yes, &no}) {
      for (const Target &each : branch->targets_) {
        const Target *one = yes.targetAt(each.element);
        const Target *other = no.targetAt(each.element);
        give(each.element,
             either(one ? one->value : each.element, other ? other->value : each.element));
      }
      written_.insert(written_.end(), branch->written_.begin(), branch->written_.end());
    }
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
      const Target *target = each->kind == ExprKind::Index ? targetAt(each) : nullptr;
      if (target)
        return target->value;
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
      return all(guarded) &&
             (std::ranges::any_of(always_, isSame) || std::ranges::any_of(written_, isSame));
    }
    default:
      return all(guarded);
    }
  }

  bool guarded_ = false;
  std::map<const Var *, ExprPtr> values_;
  std::vector<Target> targets_; ///< that have been assigned, and what
  std::vector<ExprPtr>
      written_; ///< elements that are, may be read and written whatever conditions say
  std::vector<ExprPtr> always_;
};

} // namespace

std::vector<StmtPtr> assignmentsOf(const StmtPtr &body) {
  Symbolic symbolic;
  return symbolic.run(body) ? symbolic.results() : std::vector<StmtPtr>{};
}

StmtPtr oneAssignment(const StmtPtr &body) {
  const std::vector<StmtPtr> all = assignmentsOf(body);
  return all.size() == 1 ? all[0] : nullptr;
}

} // namespace tangram::codegen
