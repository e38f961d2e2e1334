#include "algebra/simplify_steps.h"

#include "ir/checked_arithmetic.h"

#include <algorithm>
#include <utility>

namespace tangram::algebra {

using namespace ir;

namespace {

bool isIndexLike(const ExprPtr &e) { return isInteger(e->type.scalar); }

ExprPtr boolean(bool value) { return intLiteral(value ? 1 : 0, Scalar::Bool); }

/// Whether every integer type of this width holds the value, signed or not.
bool fits(std::int64_t value, Scalar type) {
  std::int64_t end = std::int64_t{1} << (8 * std::min<std::size_t>(byteSize(type), 7) - 1);
  return -end <= value && value < end;
}

/// True when `e` is surely at least one under `facts`.
bool isPositive(const ExprPtr &e, const Facts &facts) {
  if (auto value = literalValue(e))
    return *value > 0;
  if (e->kind == ExprKind::Var)
    return std::find(facts.positive.begin(), facts.positive.end(), e->var) != facts.positive.end();
  return false;
}

/// literalValue, but nothing for what is above 2^63 - 1, which looks negative.
std::optional<std::int64_t> smallLiteral(const ExprPtr &e) {
  auto value = literalValue(e);
  return value && *value < 0 && !isSigned(e->type.scalar) ? std::nullopt : value;
}

/// The values of two literals that an operator takes as they are: one below 0 that meets an unsigned type is converted
/// to it, and is a large number then.
std::optional<std::pair<std::int64_t, std::int64_t>> literals(const ExprPtr &a, const ExprPtr &b) {
  const auto x = smallLiteral(a);
  const auto y = smallLiteral(b);
  if (!x || !y)
    return std::nullopt;
  const bool converted =
      std::min(*x, *y) < 0 && !(isSigned(a->type.scalar) && isSigned(b->type.scalar));
  return converted ? std::nullopt : std::optional(std::pair(*x, *y));
}

/// a < b, known without evaluating; nothing when unknown.
std::optional<bool> knownLess(const ExprPtr &a, const ExprPtr &b, const Facts &facts) {
  if (const auto both = literals(a, b))
    return both->first < both->second;
  if (sameExpr(a, b))
    return false;
  if (isLiteral(b, 0) && b->type.scalar == Scalar::Index)
    return false;
  if (isLiteral(a, 0) && isPositive(b, facts))
    return true;
  if (a->kind == ExprKind::Var) {
    for (const auto &[var, bound] : facts.below) {
      if (var == a->var && sameExpr(bound, b))
        return true;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> fold(Operator op, std::int64_t a, std::int64_t b) {
  if (op == "+")
    return checkedSum(a, b);
  if (op == "-")
    return checkedDifference(a, b);
  if (op == "*")
    return checkedProduct(a, b);
  if (op == "/")
    return checkedQuotient(a, b);
  if (op == "%")
    return checkedRemainder(a, b);
  if (op == "==")
    return a == b;
  if (op == "!=")
    return a != b;
  if (op == "<")
    return a < b;
  if (op == "<=")
    return a <= b;
  if (op == ">")
    return a > b;
  if (op == ">=")
    return a >= b;
  return std::nullopt;
}

ExprPtr simplifyComparison(const ExprPtr &e, const Facts &facts) {
  const ExprPtr &a = e->args[0];
  const ExprPtr &b = e->args[1];
  std::optional<bool> known;
  if (e->op == "<")
    known = knownLess(a, b, facts);
  else if (e->op == ">")
    known = knownLess(b, a, facts);
  else if (e->op == ">=" && knownLess(a, b, facts))
    known = !*knownLess(a, b, facts);
  else if (e->op == "<=" && knownLess(b, a, facts))
    known = !*knownLess(b, a, facts);
  else if ((e->op == "==" || e->op == "<=" || e->op == ">=") && sameExpr(a, b))
    known = true;
  // `0 <= index` and `index >= 0`
  if (e->op == ">=" && isLiteral(b, 0) && a->type.scalar == Scalar::Index)
    known = true;
  return known ? boolean(*known) : e;
}

ExprPtr simplifyLogic(const ExprPtr &e) {
  auto a = literalValue(e->args[0]);
  auto b = literalValue(e->args[1]);
  bool isAnd = e->op == "&&";
  if (a)
    return (*a != 0) == isAnd ? e->args[1] : boolean(!isAnd);
  if (b && (*b != 0) == isAnd)
    return e->args[0];
  return e;
}

bool isOneLess(const ExprPtr &e, const ExprPtr &n) {
  return isBinary(*e, "-") && isLiteral(e->args[1], 1) && sameExpr(e->args[0], n);
}

/// ((x - (n - 1)) + n) - 1 is x, and max(x, n - 1) / n is x / n: what rounding up
/// leaves of the shortest of n interleaved parts. (n - 1) / n is 0: how many parts nothing has. Null when `e` is none.
ExprPtr simplifyRounding(const ExprPtr &e) {
  const ExprPtr &a = e->args[0];
  const ExprPtr &b = e->args[1];
  if (e->op == "-" && isLiteral(b, 1) && isBinary(*a, "+") && isBinary(*a->args[0], "-") &&
      isOneLess(a->args[0]->args[1], a->args[1]))
    return a->args[0]->args[0];
  if (e->op == "/" && a->kind == ExprKind::Call && a->callee == "max" && isOneLess(a->args[1], b))
    return binary("/", a->args[0], b, e->location);
  if (e->op == "/" && isOneLess(a, b))
    return intLiteral(0, e->type.scalar);
  return nullptr;
}

ExprPtr simplifyArithmetic(const ExprPtr &e) {
  const ExprPtr &a = e->args[0];
  const ExprPtr &b = e->args[1];
  if (!isIndexLike(a) || !isIndexLike(b))
    return e;
  const Operator op = e->op;
  if ((op == "+" || op == "-") && isLiteral(b, 0))
    return cast(e->type.scalar, a);
  if (op == "+" && isLiteral(a, 0))
    return cast(e->type.scalar, b);
  if ((op == "*" || op == "/") && isLiteral(b, 1))
    return cast(e->type.scalar, a);
  if (op == "*" && isLiteral(a, 1))
    return cast(e->type.scalar, b);
  if (op == "*" && (isLiteral(a, 0) || isLiteral(b, 0)))
    return intLiteral(0, e->type.scalar);
  if (op == "/" && isLiteral(a, 0))
    return intLiteral(0, e->type.scalar);
  if (e->type.scalar == Scalar::Index && op == "-" && sameExpr(a, b))
    return intLiteral(0, e->type.scalar);
  if (e->type.scalar != Scalar::Index)
    return e;
  if (ExprPtr rounded = simplifyRounding(e))
    return rounded;
  // (x + c1) - c2, (x + c1) + c2, (x - c2) + c1; (x + y) - x; (x - y) + y
  if ((op == "+" || op == "-") && a->kind == ExprKind::Binary && (a->op == "+" || a->op == "-")) {
    auto inner = literalValue(a->args[1]);
    auto outer = literalValue(b);
    if (inner && outer) {
      std::int64_t total = (a->op == "+" ? *inner : -*inner) + (op == "+" ? *outer : -*outer);
      return total >= 0 ? add(a->args[0], intLiteral(total))
                        : binary("-", a->args[0], intLiteral(-total), e->location);
    }
    if (op == "-" && a->op == "+" && sameExpr(a->args[0], b))
      return a->args[1];
    if (op != a->op && sameExpr(a->args[1], b))
      return a->args[0];
  }
  return e;
}

/// Whether `e` is x / n or x / n rounded up, which is at most x.
bool isQuotientOf(const ExprPtr &e, const ExprPtr &x) {
  if (!isBinary(*e, "/") || e->type.scalar != Scalar::Index)
    return false;
  const ExprPtr &n = e->args[1];
  const ExprPtr &dividend = e->args[0];
  if (sameExpr(dividend, x))
    return true;
  auto divisor = literalValue(n);
  if (isBinary(*dividend, "+") && divisor && isLiteral(dividend->args[1], *divisor - 1))
    return sameExpr(dividend->args[0], x);
  return isBinary(*dividend, "-") && isLiteral(dividend->args[1], 1) &&
         isBinary(*dividend->args[0], "+") && sameExpr(dividend->args[0]->args[0], x) &&
         sameExpr(dividend->args[0]->args[1], n);
}

ExprPtr simplifyCall(const ExprPtr &e, const Facts &facts, Ranges *known) {
  if ((e->callee != "min" && e->callee != "max") || e->args.size() != 2)
    return e;
  const ExprPtr &a = e->args[0];
  const ExprPtr &b = e->args[1];
  if (!isInteger(e->type.scalar))
    return e;
  if (sameExpr(a, b))
    return a;
  bool isMin = e->callee == "min";
  if (auto less = knownLess(a, b, facts))
    return *less == isMin ? a : b;
  if (auto less = knownLess(b, a, facts))
    return *less == isMin ? b : a;
  // min(x + n, x) and max(x + n, x)
  auto wraps = [&](const ExprPtr &sum) {
    return known ? known->facts().mayWrapByForm(sum) : mayWrap(sum);
  };
  auto extends = [&](const ExprPtr &longer, const ExprPtr &shorter) {
    return longer->kind == ExprKind::Binary && longer->op == "+" &&
           longer->type.scalar == Scalar::Index && !wraps(longer) &&
           (sameExpr(longer->args[0], shorter) || sameExpr(longer->args[1], shorter));
  };
  if (extends(a, b))
    return isMin ? b : a;
  if (extends(b, a))
    return isMin ? a : b;
  if (isQuotientOf(a, b))
    return isMin ? a : b;
  if (isQuotientOf(b, a))
    return isMin ? b : a;
  return e;
}

/// Whether `(A)(B)x` equals `(A)x`: B has at least as many bits as A, so that it keeps all that A takes.
bool isOnlyLast(const Expr &e) {
  const Expr &inner = *e.args[0];
  const auto isNumber = [](const Expr &each) {
    return isInteger(each.type.scalar) && each.type.scalar != Scalar::Bool;
  };
  return inner.kind == ExprKind::Cast && isNumber(e) && isNumber(inner) &&
         isNumber(*inner.args[0]) && byteSize(inner.type.scalar) >= byteSize(e.type.scalar);
}

} // namespace

ExprPtr step(const ExprPtr &e, const Facts &facts, Ranges *known) {
  switch (e->kind) {
  case ExprKind::Binary: {
    if (const auto both = literals(e->args[0], e->args[1]); both && isInteger(e->type.scalar)) {
      auto folded = fold(e->op, both->first, both->second);
      if (folded && fits(*folded, e->type.scalar) && (*folded >= 0 || isSigned(e->type.scalar)))
        return intLiteral(*folded, e->type.scalar);
    }
    if (e->op == "&&" || e->op == "||")
      return simplifyLogic(e);
    if (e->type.scalar == Scalar::Bool)
      return isIndexLike(e->args[0]) ? simplifyComparison(e, facts) : e;
    return simplifyArithmetic(e);
  }
  case ExprKind::Unary:
    if (e->op == "!") {
      if (auto value = literalValue(e->args[0]))
        return boolean(*value == 0);
    }
    return e;
  case ExprKind::Select:
    if (auto condition = literalValue(e->args[0]))
      return cast(e->type.scalar, *condition != 0 ? e->args[1] : e->args[2]);
    return e;
  case ExprKind::Call:
    return simplifyCall(e, facts, known);
  case ExprKind::Cast:
    if (auto value = literalValue(e->args[0]); value && *value >= 0 && isInteger(e->type.scalar) &&
                                               e->type.scalar != Scalar::Bool &&
                                               fits(*value, e->type.scalar))
      return intLiteral(*value, e->type.scalar);
    if (e->args[0]->type.scalar == e->type.scalar)
      return e->args[0];
    if (isOnlyLast(*e)) // (int)(size_t)x
      return step(cast(e->type.scalar, e->args[0]->args[0]), facts);
    // (T)(c ? 1 : 0)
    if (const ExprPtr &choice = e->args[0]; choice->kind == ExprKind::Select) {
      ExprPtr yes = step(cast(e->type.scalar, choice->args[1]), facts);
      ExprPtr no = step(cast(e->type.scalar, choice->args[2]), facts);
      if (isInteger(e->type.scalar) && literalValue(yes) && literalValue(no))
        return select(choice->args[0], yes, no);
    }
    return e;
  default:
    return e;
  }
}

} // namespace tangram::algebra
