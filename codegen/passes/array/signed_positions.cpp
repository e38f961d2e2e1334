// Normalization of signed positions: what is computed of positions with a sign is computed of indexes. Negative numbers and
// what is taken away go to the other side of a comparison, or behind a minimum or maximum, and loops count from an index.
//
//   before: for (long u = -1; u <= 1; u += 1) if ((long)i + u >= 0 && (long)i + u < (long)n) s += a[(index)((long)i + u)];
//   after:  for (u < 3) if (i + u >= 1 && i + u < n + 1) s += a[i + u - 1];
//
//   before: a[(index)min(max((long)i - 1, 0), (long)n - 1)]
//   after:  a[min(max(i, 1), n) - 1]
//
// For workers that are loops: predictions for items of a GPU count what had a name as computed again.
//
// A position is below 2^63, and so is a sum of a few, so that whole numbers and numbers of 64 bits compare alike. Numbers
// that are no positions (data, what may have wrapped around) stay as they are, with all that is computed of them.
#include "algebra/simplify.h"
#include "algebra/wrapping.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "ir/expression_length.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// A number with a sign: up - down + constant, of indexes that are not below 0.
struct Signed {
  ExprPtr up = intLiteral(0);
  ExprPtr down = intLiteral(0);
  std::int64_t constant = 0;
};

/// Numbers above it are no sizes that an author takes from a position.
constexpr std::int64_t largestConstant = INT32_MAX;

bool isSigned64(const ExprPtr &e) {
  return !e->type.isContainer() && e->type.scalar == Scalar::I64;
}

std::optional<Signed> fitting(Signed s) {
  const bool fits = s.constant <= largestConstant && s.constant >= -largestConstant;
  return fits ? std::optional(std::move(s)) : std::nullopt;
}

Signed negative(const Signed &s) { return {s.down, s.up, -s.constant}; }

Signed sum(const Signed &a, const Signed &b) {
  return {add(a.up, b.up), add(a.down, b.down), a.constant + b.constant};
}

/// The number as an index, which has wrapped around where the number is below 0.
ExprPtr asIndex(const Signed &s) {
  ExprPtr e = s.constant > 0 ? add(s.up, intLiteral(s.constant)) : s.up;
  if (!isLiteral(s.down, 0))
    e = binary("-", e, s.down);
  if (s.constant < 0)
    e = binary("-", e, intLiteral(-s.constant));
  return simplify(e);
}

/// The number in its type.
ExprPtr asSigned(const Signed &s) {
  ExprPtr e = cast(Scalar::I64, s.up);
  if (!isLiteral(s.down, 0))
    e = binary("-", e, cast(Scalar::I64, s.down));
  const ExprPtr constant = intLiteral(std::abs(s.constant), Scalar::I64);
  if (s.constant < 0)
    return binary("-", e, constant);
  return s.constant > 0 ? binary("+", e, constant) : e;
}

/// Two numbers as indexes, from both of which the same is taken away.
struct Sides {
  ExprPtr left;
  ExprPtr right;
  Signed taken; ///< what each number is more than its side
};

Sides sidesOf(const Signed &a, const Signed &b) {
  const std::int64_t least = std::min({a.constant, b.constant, std::int64_t{0}});
  Sides sides{add(a.up, intLiteral(a.constant - least)),
              add(b.up, intLiteral(b.constant - least)),
              {intLiteral(0), a.down, least}};
  if (!sameExpr(a.down, b.down)) {
    sides.left = add(sides.left, b.down);
    sides.right = add(sides.right, a.down);
    sides.taken.down = add(a.down, b.down);
  }
  return sides;
}

/// The variables that statements assign: all but counters in the heads of the loops that declare them.
std::set<const Var *> assignedApart(const StmtPtr &body) {
  std::set<const Stmt *> steps;
  std::set<const Var *> assigned;
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::For && steppedLoop(s))
      steps.insert(s.children[1].get());
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var && !steps.contains(&s))
      assigned.insert(s.target->var.get());
  });
  return assigned;
}

class Positions {
public:
  explicit Positions(const StmtPtr &body)
      : assigned_(assignedApart(body)), wrapping_(wrappingVariables(body)) {}

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Decl && isNumber(*s))
      return declared(s);
    if (s->kind == StmtKind::For) {
      if (const StmtPtr loop = counted(s))
        return loop;
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child));
    StmtPtr made = mapExprs(withChildren(s, {}), [&](const ExprPtr &e) { return expression(e); });
    if (s->kind == StmtKind::For && s->value)
      made = withCondition(made, belowItsEnd(made->value));
    return withChildren(made, std::move(children));
  }

  /// Whether something that is no expression of a statement, such as the extent of an array, names a variable that is
  /// declared no longer.
  bool isNamedStill(const LoweredPlan &before, const StmtPtr &body) const {
    bool isNamed = false;
    const auto look = [&](const ExprPtr &e) {
      isNamed |=
          e && contains(e, [&](const Expr &each) { return replaced_.contains(each.var.get()); });
    };
    forEach(body, [&](const Stmt &s) { forEachOwnExpr(s, look); });
    for (const auto &[array, padded] : before.padded) {
      for (const Edge &edge : padded.edges) {
        for (const ExprPtr *e : {&edge.before, &edge.after, &edge.extent, &edge.bound, &edge.origin,
                                 &edge.step, &edge.beyond})
          look(*e);
      }
    }
    return isNamed;
  }

  /// `s` without names that are used no longer.
  StmtPtr withoutOldNames(StmtPtr s) const {
    for (bool changed = true; changed;) {
      changed = false;
      std::set<const Var *> used;
      forEachExpr(s, [&](const Expr &e) { used.insert(e.var.get()); });
      s = rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
        const bool isOld = each->kind == StmtKind::Decl && old_.contains(each->var.get()) &&
                           !used.contains(each->var.get());
        changed |= isOld;
        return isOld ? nullptr : each;
      });
    }
    return s;
  }

private:
  /// Whether it is a name of a number with a sign that nothing changes.
  bool isNumber(const Stmt &s) const {
    return s.value && !s.var->extent && s.var->kind == VarKind::Local &&
           s.var->type == scalarType(Scalar::I64) && !assigned_.contains(s.var.get());
  }

  bool mayWrapAround(const ExprPtr &e) const {
    const auto variable = [&](const Expr &leaf) {
      const auto found = wrapping_.find(leaf.var.get());
      return found == wrapping_.end() ? leaf.var->wraps : found->second;
    };
    const auto conversion = [](const Expr &converted) {
      return ir::isSigned(converted.args[0]->type.scalar);
    };
    return mayWrap(e, {variable, [](const Expr &) { return true; }, conversion});
  }

  // --------------------------------------------------------------------------
  // Statements

  /// A name of a number: of an index, from which a constant is taken away where the name is used; or it stands for what it
  /// is made of.
  StmtPtr declared(const StmtPtr &s) {
    const auto number = signedOf(s->value);
    const StmtPtr before = declare(s->var, expression(s->value), s->location);
    if (!number)
      return before;
    ExprPtr value = asIndex(*number);
    std::int64_t less = 0; // the number less its index
    if (mayWrapAround(value)) {
      if (mayStandFor(value)) {
        names_[s->var.get()] = *number;
        old_.insert(s->var.get());
        return before;
      }
      if (!isLiteral(number->down, 0))
        return before;
      less = number->constant;
      value = simplify(number->up);
    }
    const VarPtr made = newVariable(s->var->name);
    names_[s->var.get()] = {varRef(made), intLiteral(0), less};
    replaced_.insert(s->var.get());
    return declare(made, value, s->location);
  }

  /// Whether it is short, and the same wherever the name is used.
  bool mayStandFor(const ExprPtr &e) const {
    return !isLongerThan(e, mostNodes) && !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.kind == ExprKind::Var && assigned_.contains(each.var.get()));
    });
  }

  /// The loop with a counter that is an index; null where there is none.
  StmtPtr counted(const StmtPtr &s) {
    const auto head = steppedLoop(*s);
    const bool isCounter = head && s->value && head->i->type == scalarType(Scalar::I64) &&
                           !assigned_.contains(head->i.get());
    if (!isCounter)
      return nullptr;
    auto first = signedOf(head->start);
    const auto step = signedOf(head->step);
    const bool goesUp = step && isLiteral(step->down, 0) && step->constant >= 0;
    if (!first || !goesUp)
      return nullptr;
    ExprPtr start = asIndex(*first);
    std::int64_t less = 0; // the counter less its index
    if (mayWrapAround(start)) {
      if (!isLiteral(first->down, 0))
        return nullptr;
      less = first->constant;
      start = simplify(first->up);
    }
    const VarPtr made = newVariable(head->i->name);
    names_[head->i.get()] = {varRef(made), intLiteral(0), less};
    replaced_.insert(head->i.get());
    auto copy = std::make_shared<Stmt>(*s);
    copy->children[0] = declare(made, start, s->children[0]->location);
    copy->children[1] = assign(varRef(made), "+=", asIndex(*step), s->children[1]->location);
    copy->value = belowItsEnd(expression(s->value));
    copy->children[2] = run(s->children[2]);
    return copy;
  }

  static StmtPtr withCondition(const StmtPtr &s, const ExprPtr &condition) {
    if (condition == s->value)
      return s;
    auto copy = std::make_shared<Stmt>(*s);
    copy->value = condition;
    return copy;
  }

  /// i <= n as i < n + 1.
  ExprPtr belowItsEnd(const ExprPtr &e) const {
    const bool isUpTo = isBinary(*e, "<=") && e->args[0]->kind == ExprKind::Var &&
                        e->args[0]->type.scalar == Scalar::Index &&
                        e->args[1]->type.scalar == Scalar::Index && !mayWrapAround(e->args[1]);
    return isUpTo ? binary("<", e->args[0], simplify(add(e->args[1], intLiteral(1))), e->location)
                  : e;
  }

  // --------------------------------------------------------------------------
  // Expressions

  ExprPtr expression(const ExprPtr &e) {
    if (e->kind == ExprKind::Binary && e->op.isComparison() && isSigned64(e->args[0]) &&
        isSigned64(e->args[1])) {
      const auto a = signedOf(e->args[0]);
      const auto b = signedOf(e->args[1]);
      if (a && b) {
        const Sides sides = sidesOf(*a, *b);
        return binary(e->op, simplify(sides.left), simplify(sides.right), e->location);
      }
    }
    if (e->kind == ExprKind::Cast && e->type.scalar == Scalar::Index && isSigned64(e->args[0])) {
      if (const auto number = signedOf(e->args[0]))
        return asIndex(*number);
    }
    if (e->kind == ExprKind::Var && replaced_.contains(e->var.get()))
      return asSigned(names_.at(e->var.get()));
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(expression(arg));
    return withArgs(e, std::move(args));
  }

  /// A number of 64 bits, with a sign or as an index; nothing where it is no position.
  std::optional<Signed> signedOf(const ExprPtr &e) {
    if (e->type.isContainer() || e->type.lanes != 1 ||
        (e->type.scalar != Scalar::I64 && e->type.scalar != Scalar::Index))
      return std::nullopt;
    if (const auto value = literalValue(e))
      return fitting({intLiteral(0), intLiteral(0), *value});
    if (e->kind == ExprKind::Var) {
      if (const auto name = names_.find(e->var.get()); name != names_.end())
        return name->second;
    }
    if (e->kind == ExprKind::Cast &&
        (e->args[0]->type.scalar == Scalar::Index || isSigned64(e->args[0])))
      return signedOf(e->args[0]);
    if (e->kind == ExprKind::Unary && e->op == "-" && isSigned64(e)) {
      const auto number = signedOf(e->args[0]);
      return number ? std::optional(negative(*number)) : std::nullopt;
    }
    if (e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-"))
      return sumOf(*e);
    if (e->kind == ExprKind::Binary && e->op == "*")
      return productOf(e);
    if (isSigned64(e) &&
        (e->kind == ExprKind::Select ||
         (e->kind == ExprKind::Call && (e->callee == "min" || e->callee == "max"))))
      return choiceOf(e);
    return natural(e);
  }

  /// An index that is not below 0.
  std::optional<Signed> natural(const ExprPtr &e) {
    if (e->type.scalar != Scalar::Index)
      return std::nullopt;
    const ExprPtr now = expression(e);
    return mayWrapAround(now) ? std::nullopt : std::optional(Signed{now, intLiteral(0), 0});
  }

  std::optional<Signed> sumOf(const Expr &e) {
    const auto a = signedOf(e.args[0]);
    const auto b = signedOf(e.args[1]);
    return a && b ? fitting(sum(*a, e.op == "+" ? *b : negative(*b))) : std::nullopt;
  }

  std::optional<Signed> productOf(const ExprPtr &e) {
    if (e->type.scalar == Scalar::Index) {
      if (const auto whole = natural(e))
        return whole;
    }
    for (const std::size_t at : {0, 1}) {
      const auto number = signedOf(e->args[at]);
      auto factor = signedOf(e->args[1 - at]);
      if (!number || !factor || !isLiteral(factor->down, 0))
        continue;
      const bool isNegative = isLiteral(factor->up, 0) && factor->constant < 0;
      if (isNegative)
        factor->constant = -factor->constant;
      if (factor->constant < 0)
        continue;
      const Signed of = isNegative ? negative(*number) : *number;
      const ExprPtr times = asIndex(*factor);
      if (const auto known = literalValue(times))
        return fitting({mul(of.up, times), mul(of.down, times), of.constant * *known});
      const ExprPtr more = mul(intLiteral(std::abs(of.constant)), times);
      return Signed{add(mul(of.up, times), of.constant > 0 ? more : intLiteral(0)),
                    add(mul(of.down, times), of.constant < 0 ? more : intLiteral(0)), 0};
    }
    return std::nullopt;
  }

  /// A minimum, a maximum, or one of two.
  std::optional<Signed> choiceOf(const ExprPtr &e) {
    const std::size_t at = e->kind == ExprKind::Select ? 1 : 0;
    if (e->args.size() != at + 2)
      return std::nullopt;
    const auto a = signedOf(e->args[at]);
    const auto b = signedOf(e->args[at + 1]);
    if (!a || !b)
      return std::nullopt;
    Sides sides = sidesOf(*a, *b);
    std::vector<ExprPtr> args{simplify(sides.left), simplify(sides.right)};
    sides.taken.up = e->kind == ExprKind::Select
                         ? select(expression(e->args[0]), args[0], args[1], e->location)
                         : simplify(call(e->callee, scalarType(Scalar::Index), args, e->location));
    return sides.taken;
  }

  static constexpr std::size_t mostNodes = 32;

  std::set<const Var *> assigned_;
  WrappingVariables wrapping_;
  std::map<const Var *, Signed> names_; ///< what variables with a sign stand for
  std::set<const Var *> replaced_;      ///< those of them that are declared no longer
  std::set<const Var *> old_;           ///< the others
};

} // namespace

LoweredPlan signedPositions(LoweredPlan plan) {
  Positions positions(plan.body);
  const StmtPtr body = positions.withoutOldNames(positions.run(plan.body));
  if (!positions.isNamedStill(plan, body))
    plan.body = body;
  return plan;
}

} // namespace tangram::codegen
