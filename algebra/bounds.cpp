#include "algebra/bounds.h"

#include "algebra/floor_divide.h"
#include "algebra/wrapping.h"

#include <utility>

namespace tangram::algebra {

namespace {

constexpr std::size_t mostTerms = 64;

Bound checked(Polynomial p) {
  return p.overflowed() || p.terms().size() > mostTerms ? std::nullopt : Bound(std::move(p));
}

} // namespace

Bound operator+(const Bound &a, const Bound &b) { return a && b ? checked(*a + *b) : std::nullopt; }

Bound operator-(const Bound &a, const Bound &b) { return a && b ? checked(*a - *b) : std::nullopt; }

Bound operator*(const Bound &a, const Bound &b) { return a && b ? checked(*a * *b) : std::nullopt; }

std::optional<std::int64_t> literal(const Bound &bound) {
  return bound ? bound->literal() : std::nullopt;
}

bool widens(const ir::Expr &cast) {
  const ir::Scalar from = cast.args[0]->type.scalar;
  return ir::isInteger(from) && !cast.args[0]->type.isContainer() &&
         ir::byteSize(cast.type.scalar) >= ir::byteSize(from);
}

Bound Bounds::exactly(const ir::ExprPtr &e) {
  Bound low = extreme(e, false);
  Bound high = extreme(e, true);
  return low && low == high ? low : std::nullopt;
}

Bound Bounds::extreme(const ir::ExprPtr &e, bool upper) {
  const Question question(*this);
  const void *key =
      e->kind == ir::ExprKind::Var ? static_cast<const void *>(e->var.get()) : e.get();
  auto &known = found_[upper ? 1 : 0];
  if (const auto at = known.find(key); at != known.end())
    return at->second.second;
  Bound found = extremeOf(e, upper);
  if (!found && !upper && ir::isUnsigned(e->type.scalar))
    found = Bound(0);
  known.insert_or_assign(key, std::pair(e, found));
  return found;
}

Bound Bounds::extremeOf(const ir::ExprPtr &expr, bool upper) {
  const ir::Expr &e = *expr;
  if (e.type.isContainer() || !ir::isInteger(e.type.scalar))
    return std::nullopt;
  switch (e.kind) {
  case ir::ExprKind::Literal:
    return ir::isUnsigned(e.type.scalar) && e.integer < 0 ? Bound() : Bound(e.integer);
  case ir::ExprKind::Var:
  case ir::ExprKind::Size:
  case ir::ExprKind::Index:
    if (std::optional<Bound> end = endOf_ ? endOf_(e, upper) : std::nullopt)
      return *end;
    return ir::isUnsigned(e.type.scalar) && e.kind != ir::ExprKind::Index ? Bound(facts_.of(expr))
                                                                          : Bound();
  case ir::ExprKind::Select: {
    const Bound a = extreme(e.args[1], upper);
    const Bound b = extreme(e.args[2], upper);
    if (isAtMost(a, b))
      return upper ? b : a;
    return isAtMost(b, a) ? (upper ? a : b) : Bound();
  }
  case ir::ExprKind::Cast:
    // What is below 0 becomes very large in an unsigned type.
    return widens(e) && (!ir::isUnsigned(e.type.scalar) || ir::isUnsigned(e.args[0]->type.scalar) ||
                         isNatural(e.args[0]))
               ? extreme(e.args[0], upper)
               : Bound();
  case ir::ExprKind::Binary:
    return extremeOfBinary(e, upper);
  case ir::ExprKind::Call:
    return e.args.size() == 2 ? extremeOfCall(e, upper) : Bound();
  default:
    return std::nullopt;
  }
}

bool Bounds::staysAbove(const ir::Expr &e) {
  if (!ir::isUnsigned(e.type.scalar))
    return true;
  const Bound least = extreme(e.args[0], false);
  return isAtMost(extreme(e.args[1], true), least);
}

bool Bounds::mayWrap(const ir::ExprPtr &e) {
  const Question question(*this);
  const auto variable = [&](const ir::Expr &leaf) {
    return leaf.var->wraps && !(endOf_ && endOf_(leaf, true));
  };
  const auto converts = [&](const ir::Expr &cast) {
    return ir::isSigned(cast.args[0]->type.scalar) ? !isNatural(cast.args[0])
                                                   : mayWrap(cast.args[0]);
  };
  const auto falls = [&](const ir::Expr &difference) { return !staysAbove(difference); };
  return algebra::mayWrap(e, {variable, falls, converts});
}

bool Bounds::mayDivideByZero(const ir::ExprPtr &e) {
  return ir::contains(e, [&](const ir::Expr &node) {
    return node.kind == ir::ExprKind::Binary && (node.op == "/" || node.op == "%") &&
           !isAtLeast(extreme(node.args[1], false), 1);
  });
}

Bound Bounds::extremeOfBinary(const ir::Expr &e, bool upper) {
  const ir::ExprPtr &a = e.args[0];
  const ir::ExprPtr &b = e.args[1];
  // The second before the first: unknowns are numbered as they are met, which is seen in the order of factors.
  if (e.op == "+") {
    if (!upper && ir::isUnsigned(e.type.scalar) && (mayWrap(a) || mayWrap(b)))
      return std::nullopt;
    const Bound second = extreme(b, upper);
    return extreme(a, upper) + second;
  }
  if (e.op == "-") {
    if (!staysAbove(e))
      return std::nullopt;
    const Bound second = extreme(b, !upper);
    return extreme(a, upper) - second;
  }
  if (!isNatural(a) || !isNatural(b))
    return std::nullopt;
  if (e.op == "*") {
    if (!upper && ir::isUnsigned(e.type.scalar) && (mayWrap(a) || mayWrap(b)))
      return std::nullopt;
    const Bound second = extreme(b, upper);
    return extreme(a, upper) * second;
  }
  if (e.op == "/") {
    const Bound divisor = extreme(b, !upper);
    return isAtLeast(divisor, 1) ? divide(extreme(a, upper), divisor) : Bound();
  }
  if (e.op == "%" && upper && isAtLeast(extreme(b, false), 1))
    return extreme(b, true) - 1;
  return std::nullopt;
}

Bound Bounds::extremeOfCall(const ir::Expr &e, bool upper) {
  if (e.callee != "min" && e.callee != "max")
    return std::nullopt;
  const Bound a = extreme(e.args[0], upper);
  const Bound b = extreme(e.args[1], upper);
  // One of the two will do for the upper end of a min and the lower end of a max.
  if ((e.callee == "min") == upper)
    return !a || (b && isAtMost(upper ? b : a, upper ? a : b)) ? b : a;
  if (isAtMost(a, b))
    return upper ? b : a;
  return isAtMost(b, a) ? (upper ? a : b) : Bound();
}

Bound Bounds::divide(const Bound &a, const Bound &b) {
  if (!a || !b || b->isZero())
    return std::nullopt;
  const auto x = a->literal();
  const auto y = b->literal();
  if (x && y)
    return Bound(floorDivide(*x, *y));
  if (Bound exact = exactQuotient(*a, *b))
    return exact;
  // What has no exact quotient becomes an atom, which must not be below 0.
  return facts_.isNonNegative(*a)
             ? checked(facts_.of(ir::binary("/", expression(a), expression(b))))
             : Bound();
}

Bound Bounds::divideUp(const Bound &a, const Bound &b) {
  if (!a || !b || b->isZero())
    return std::nullopt;
  if (Bound exact = exactQuotient(*a, *b))
    return exact;
  return divide(a + b - 1, b);
}

bool Bounds::isAtMost(const Bound &a, const Bound &b) const {
  return a && b && facts_.isNonNegative(*b - *a);
}

ir::ExprPtr Bounds::expression(const Bound &bound) const { return facts_.expression(*bound); }

ir::ExprPtr upperBoundOver(const ir::ExprPtr &e,
                           const std::function<bool(const ir::Expr &)> &isKnown,
                           const std::function<ir::ExprPtr(const ir::VarPtr &)> &most,
                           const std::vector<ir::VarPtr> &positive) {
  Bounds *self = nullptr;
  Bounds bounds([&](const ir::Expr &leaf, bool upper) -> std::optional<Bound> {
    if (leaf.kind == ir::ExprKind::Var && isKnown(leaf))
      return std::nullopt;
    const ir::ExprPtr end = upper && leaf.kind == ir::ExprKind::Var ? most(leaf.var) : nullptr;
    return std::optional<Bound>(end ? self->extreme(end, true) : Bound());
  });
  self = &bounds;
  for (const ir::VarPtr &var : positive)
    bounds.facts().assume(bounds.facts().of(ir::varRef(var)) - 1);
  const Bound bound = bounds.extreme(e, true);
  return bound ? bounds.expression(bound) : nullptr;
}

} // namespace tangram::algebra
