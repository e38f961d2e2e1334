#include "algebra/simplify.h"

#include "algebra/simplify_ranges.h"
#include "algebra/wrapping.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// a < b, known without evaluating; nothing when unknown.
std::optional<bool> knownLess(const ExprPtr &a, const ExprPtr &b, const Facts &facts) {
  auto x = smallLiteral(a);
  auto y = smallLiteral(b);
  if (x && y)
    return *x < *y;
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
  std::int64_t value = 0;
  if (op == "+")
    return __builtin_add_overflow(a, b, &value) ? std::nullopt : std::optional(value);
  if (op == "-")
    return __builtin_sub_overflow(a, b, &value) ? std::nullopt : std::optional(value);
  if (op == "*")
    return __builtin_mul_overflow(a, b, &value) ? std::nullopt : std::optional(value);
  if (op == "/")
    return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
  if (op == "%")
    return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
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

bool isBinary(const ExprPtr &e, Operator op) { return e->kind == ExprKind::Binary && e->op == op; }

bool isOneLess(const ExprPtr &e, const ExprPtr &n) {
  return isBinary(e, "-") && isLiteral(e->args[1], 1) && sameExpr(e->args[0], n);
}

/// ((x - (n - 1)) + n) - 1 is x, and max(x, n - 1) / n is x / n: what rounding up
/// leaves of the shortest of n interleaved parts. Null when `e` is neither.
ExprPtr simplifyRounding(const ExprPtr &e) {
  const ExprPtr &a = e->args[0];
  const ExprPtr &b = e->args[1];
  if (e->op == "-" && isLiteral(b, 1) && isBinary(a, "+") && isBinary(a->args[0], "-") &&
      isOneLess(a->args[0]->args[1], a->args[1]))
    return a->args[0]->args[0];
  if (e->op == "/" && a->kind == ExprKind::Call && a->callee == "max" && isOneLess(a->args[1], b))
    return binary("/", a->args[0], b, e->location);
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
  if (!isBinary(e, "/") || e->type.scalar != Scalar::Index)
    return false;
  const ExprPtr &n = e->args[1];
  const ExprPtr &dividend = e->args[0];
  if (sameExpr(dividend, x))
    return true;
  auto divisor = literalValue(n);
  if (isBinary(dividend, "+") && divisor && isLiteral(dividend->args[1], *divisor - 1))
    return sameExpr(dividend->args[0], x);
  return isBinary(dividend, "-") && isLiteral(dividend->args[1], 1) &&
         isBinary(dividend->args[0], "+") && sameExpr(dividend->args[0]->args[0], x) &&
         sameExpr(dividend->args[0]->args[1], n);
}

ExprPtr simplifyCall(const ExprPtr &e, const Facts &facts, const Inequalities *known) {
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
  auto wraps = [&](const ExprPtr &sum) { return known ? known->mayWrapByForm(sum) : mayWrap(sum); };
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

/// `known`: what is known of the place; null: nothing.
ExprPtr step(const ExprPtr &e, const Facts &facts, const Inequalities *known = nullptr) {
  switch (e->kind) {
  case ExprKind::Binary: {
    auto a = smallLiteral(e->args[0]);
    auto b = smallLiteral(e->args[1]);
    if (a && b && isInteger(e->type.scalar)) {
      auto folded = fold(e->op, *a, *b);
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

StmtPtr resolveBranch(const StmtPtr &s) {
  if (s->kind != StmtKind::If)
    return s;
  auto condition = literalValue(s->value);
  if (!condition)
    return s;
  if (*condition != 0)
    return s->children[0];
  return s->children.size() > 1 ? s->children[1] : block({});
}

} // namespace

namespace {

/// A rule may make an expression that another one applies to.
constexpr unsigned mostRounds = 4;

/// Bottom-up, once. What definitions were put into has the same parts in several places: each is simplified
/// where it is met first.
class Round {
public:
  Round(const Facts &facts, Ranges &ranges) : facts_(facts), ranges_(ranges) {}

  ExprPtr run(const ExprPtr &e) {
    if (!e || e->args.empty())
      return e ? simpler(e) : e;
    const auto [known, isNew] = known_.try_emplace(e.get());
    if (!isNew)
      return known->second;
    std::vector<ExprPtr> args;
    args.reserve(e->args.size());
    for (const ExprPtr &arg : e->args)
      args.push_back(run(arg));
    ExprPtr result = simpler(withArgs(e, std::move(args)));
    known_[e.get()] = result;
    return result;
  }

private:
  ExprPtr simpler(const ExprPtr &e) {
    return ranges_.simplified(step(e, facts_, &ranges_.facts()));
  }

  const Facts &facts_;
  Ranges &ranges_;
  std::unordered_map<const Expr *, ExprPtr>
      known_; ///< of parts of the expression that is simplified
};

ExprPtr simplified(ExprPtr e, const Facts &facts, Ranges &ranges) {
  for (unsigned round = 0; round < mostRounds; ++round) {
    ExprPtr next = Round(facts, ranges).run(e);
    if (next == e || sameExpr(next, e))
      return next;
    e = std::move(next);
  }
  return e;
}

Ranges rangesOf(const Facts &facts) {
  Ranges ranges(facts.proofs);
  Inequalities &known = ranges.facts();
  for (const VarPtr &var : facts.positive)
    known.assume(known.of(varRef(var)) - 1);
  for (const auto &[var, bound] : facts.below)
    known.assume(known.of(bound) - known.of(varRef(var)) - 1);
  return ranges;
}

/// Walks statements with what is known at each.
class Walk {
public:
  explicit Walk(const StmtPtr &root) {
    std::set<const Stmt *> increments;
    forEach(root, [&](const Stmt &s) {
      if (s.kind == StmtKind::For && s.children[0] && s.children[1] &&
          s.children[0]->kind == StmtKind::Decl && s.children[1]->kind == StmtKind::Assign &&
          s.children[1]->target->var == s.children[0]->var)
        increments.insert(s.children[1].get());
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var && !increments.contains(&s))
        changing_.insert(s.target->var.get());
    });
    forEachExpr(root, [&](const Expr &e) {
      if (e.kind == ExprKind::Atomic && e.args[0]->kind == ExprKind::Var)
        changing_.insert(e.args[0]->var.get());
    });
  }

  struct Scope {
    Facts facts;
    Ranges ranges;
  };

  StmtPtr run(const StmtPtr &s, Scope &scope) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && s->var &&
        isLiteral(simplified(s->value, scope.facts, scope.ranges), 1))
      return run(ofOne(*s), scope);
    auto changed = std::make_shared<Stmt>(*s);
    if (s->value)
      changed->value = simplified(s->value, scope.facts, scope.ranges);
    if (s->target)
      changed->target = simplified(s->target, scope.facts, scope.ranges);
    if (s->kind == StmtKind::Parallel && isLiteral(changed->value, 1))
      changed->span = Span::One;
    if (s->kind == StmtKind::Decl)
      define(*changed, scope);
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      // A block's declarations are known to the statements after them.
      if (s->kind == StmtKind::Block && i > 0) {
        changed->children[i] = run(s->children[i], *inner_.back());
        continue;
      }
      inner_.push_back(std::make_unique<Scope>(scope));
      if (s->kind != StmtKind::Block)
        enter(*changed, i, *inner_.back());
      changed->children[i] = run(s->children[i], *inner_.back());
      if (s->kind != StmtKind::Block)
        inner_.pop_back();
    }
    if (s->kind == StmtKind::Block && !s->children.empty())
      inner_.pop_back();
    return resolveBranch(changed);
  }

private:
  /// A Parallel of one worker, whose number is 0.
  static StmtPtr ofOne(const Stmt &s) {
    return parallel(s.level, Span::One, nullptr, intLiteral(1),
                    mapExprs(s.children[0],
                             [&](const ExprPtr &own) {
                               return rewrite(own, [&](const ExprPtr &e) {
                                 return e->kind == ExprKind::Var && e->var == s.var ? intLiteral(0)
                                                                                    : e;
                               });
                             }),
                    s.location);
  }

  /// What holds in child `i` of `s`.
  void enter(const Stmt &s, std::size_t i, Scope &scope) {
    Inequalities &known = scope.ranges.facts();
    if (s.kind == StmtKind::Parallel && s.var) {
      scope.facts.below.emplace_back(s.var, s.value);
      if (isStable(s.value))
        known.assume(known.of(s.value) - known.of(varRef(s.var)) - 1);
    } else if (s.kind == StmtKind::If && isStable(s.value)) {
      known.assumeCondition(s.value, i == 0);
    } else if (s.kind == StmtKind::For && i == 2 && s.value && s.children[0] &&
               s.children[0]->kind == StmtKind::Decl && isStable(varRef(s.children[0]->var)) &&
               isStable(s.value)) {
      known.assumeCondition(s.value);
      if (s.value->kind == ExprKind::Binary && s.value->op == "<" &&
          s.value->args[0]->type.scalar == Scalar::Index)
        known.assumeDeciding(known.of(s.value->args[1]) - known.of(s.value->args[0]) - 1);
    }
  }

  void define(const Stmt &s, Scope &scope) const {
    if (s.value && !s.var->extent && s.var->type.scalar == Scalar::Index &&
        s.value->type.scalar == Scalar::Index && isStable(s.value) && isStable(varRef(s.var)))
      scope.ranges.define(s.var, s.value);
  }

  /// Whether `e` keeps its value in the scope of the variables in it.
  bool isStable(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             each.kind == ExprKind::SpectrumCall ||
             (each.kind == ExprKind::Var && changing_.contains(each.var.get()));
    });
  }

  std::set<const Var *> changing_; ///< given a value after they were declared
  std::vector<std::unique_ptr<Scope>> inner_;
};

} // namespace

ExprPtr simplify(const ExprPtr &e, const Facts &facts) {
  if (e->args.empty())
    return step(e, facts);
  Ranges ranges = rangesOf(facts);
  return simplified(e, facts, ranges);
}

StmtPtr simplify(const StmtPtr &s, const Facts &facts) {
  Walk::Scope scope{facts, rangesOf(facts)};
  scope.ranges.facts().noteWrapping(wrappingVariables(s));
  return Walk(s).run(s, scope);
}

ExprPtr add(ExprPtr a, ExprPtr b) {
  if (isLiteral(a, 0))
    return b;
  if (isLiteral(b, 0))
    return a;
  return step(binary("+", std::move(a), std::move(b)), {});
}

ExprPtr sub(ExprPtr a, ExprPtr b) { return step(binary("-", std::move(a), std::move(b)), {}); }

ExprPtr mul(ExprPtr a, ExprPtr b) { return step(binary("*", std::move(a), std::move(b)), {}); }

ExprPtr ceilDiv(ExprPtr a, ExprPtr b) {
  if (isLiteral(b, 1))
    return a;
  return step(binary("/", sub(add(std::move(a), b), intLiteral(1)), b), {});
}

ExprPtr minOf(ExprPtr a, ExprPtr b) {
  return step(call("min", scalarType(Scalar::Index), {std::move(a), std::move(b)}), {});
}

ExprPtr maxOf(ExprPtr a, ExprPtr b) {
  return step(call("max", scalarType(Scalar::Index), {std::move(a), std::move(b)}), {});
}

} // namespace tangram::algebra
