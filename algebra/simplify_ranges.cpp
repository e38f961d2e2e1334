#include "algebra/simplify_ranges.h"

#include <algorithm>
#include <utility>

namespace tangram::algebra {

using namespace ir;

namespace {

/// Goals that a proof may look at: it is tried at every minimum and quotient of a kernel.
constexpr unsigned effort = 24;
/// To tell a comparison: there are few, and those around accesses stay in loops.
constexpr unsigned effortOfComparison = 100;

bool isIndex(const ExprPtr &e) { return !e->type.isContainer() && e->type.scalar == Scalar::Index; }

/// What an Index operation converts without changing its value.
bool isNatural(const ExprPtr &e) {
  const Scalar type = e->type.scalar;
  if (e->type.isContainer() || !isInteger(type) || type == Scalar::Bool)
    return false;
  return !isSigned(type) || literalValue(e).value_or(-1) >= 0;
}

ExprPtr asIndex(const ExprPtr &e) {
  if (isIndex(e))
    return e;
  const auto value = literalValue(e);
  return value ? intLiteral(*value) : cast(Scalar::Index, e);
}

bool isCall(const ExprPtr &e, const char *callee) {
  return e->kind == ExprKind::Call && e->callee == callee && e->args.size() == 2;
}

std::size_t lengthOf(const ExprPtr &e) {
  std::size_t nodes = 0;
  forEach(e, [&](const Expr &) { ++nodes; });
  return nodes;
}

void addFactors(const ExprPtr &e, std::vector<ExprPtr> &factors) {
  if (isBinary(*e, "*") && isIndex(e)) {
    addFactors(e->args[0], factors);
    addFactors(e->args[1], factors);
  } else {
    factors.push_back(e);
  }
}

ExprPtr productOf(const std::vector<ExprPtr> &factors) {
  ExprPtr product;
  for (const ExprPtr &each : factors)
    product = product ? binary("*", product, each) : each;
  return product ? product : intLiteral(1);
}

} // namespace

std::vector<ExprPtr> factorsOf(const ExprPtr &product) {
  std::vector<ExprPtr> factors;
  addFactors(product, factors);
  return factors;
}

Inequalities Ranges::nothing(std::shared_ptr<Proofs> proofs) {
  return {Inequalities::Divisors::Proven, effort, std::move(proofs)};
}

ExprPtr Ranges::simplified(const ExprPtr &e) {
  ExprPtr shorter = rewritten(e);
  if (shorter && isIndex(e) && isNatural(shorter))
    shorter = asIndex(shorter);
  return shorter && shorter->type.scalar == e->type.scalar && lengthOf(shorter) < lengthOf(e)
             ? shorter
             : e;
}

/// Null when no rule applies.
ExprPtr Ranges::rewritten(const ExprPtr &e) {
  if (e->type.isContainer())
    return nullptr;
  if (e->kind == ExprKind::Call && isIndex(e) && (isCall(e, "min") || isCall(e, "max")))
    return extreme(e);
  if (e->kind != ExprKind::Binary || !isNatural(e->args[0]) || !isNatural(e->args[1]))
    return nullptr;
  if (e->type.scalar == Scalar::Bool)
    return isIndex(e->args[0]) && isIndex(e->args[1]) ? comparison(e) : nullptr;
  if (!isIndex(e))
    return nullptr;
  if (e->op == "-") {
    if (ExprPtr found = rest(e))
      return found;
  }
  if (e->op == "+" || e->op == "-")
    return sum(e);
  if (e->op == "/")
    return quotient(e);
  return e->op == "%" ? remainder(e) : nullptr;
}

/// False when a term may be negative: what it is converted to is another number.
bool Ranges::flatten(const ExprPtr &e, bool plus, Sum &sum) {
  if (!isNatural(e))
    return false;
  if (!isIndex(e)) {
    sum.push_back({plus, e});
    return true;
  }
  if (isBinary(*e, "+") || isBinary(*e, "-"))
    return flatten(e->args[0], plus, sum) && flatten(e->args[1], e->op == "+" ? plus : !plus, sum);
  if (const auto value = literalValue(e); value && *value < 0)
    return false; // above 2^63
  sum.push_back({plus, e});
  return true;
}

/// What is added before what is taken away, so that nothing goes below 0 that need not.
ExprPtr Ranges::expressionOf(const Sum &sum) {
  std::int64_t constant = 0;
  ExprPtr result;
  for (const Term &term : sum) {
    if (const auto value = literalValue(term.e)) {
      if (term.plus ? __builtin_add_overflow(constant, *value, &constant)
                    : __builtin_sub_overflow(constant, *value, &constant))
        return nullptr;
    } else if (term.plus) {
      result = result ? binary("+", asIndex(result), term.e) : term.e;
    }
  }
  if (constant > 0)
    result = result ? binary("+", asIndex(result), intLiteral(constant)) : intLiteral(constant);
  else if (constant < 0)
    result = result ? binary("-", asIndex(result), intLiteral(-constant)) : nullptr;
  bool taken = false;
  for (const Term &term : sum) {
    if (term.plus || literalValue(term.e))
      continue;
    taken = true;
    result = result ? binary("-", asIndex(result), term.e) : nullptr;
    if (!result)
      return nullptr;
  }
  if (result)
    return asIndex(result);
  return taken || constant < 0 ? nullptr : intLiteral(0);
}

Polynomial Ranges::valueOf(const Sum &sum) {
  Polynomial value;
  for (const Term &term : sum)
    value = term.plus ? value + facts().unwrapped(term.e) : value - facts().unwrapped(term.e);
  return value;
}

bool Ranges::same(const ExprPtr &a, const ExprPtr &b) {
  return sameExpr(a, b) || facts().of(a) == facts().of(b);
}

bool Ranges::isAtMost(const ExprPtr &a, const ExprPtr &b) {
  return facts().isNonNegative(facts().of(b) - facts().of(a));
}

ExprPtr Ranges::sum(const ExprPtr &e) {
  Sum terms;
  if (!flatten(e, true, terms))
    return nullptr;
  bool shorter = joinRemainder(terms);
  shorter |= cancel(terms);
  shorter |= std::count_if(terms.begin(), terms.end(),
                           [](const Term &term) { return literalValue(term.e).has_value(); }) > 1;
  return shorter ? expressionOf(terms) : nullptr;
}

/// x - x.
bool Ranges::cancel(Sum &sum) {
  bool found = false;
  for (std::size_t i = 0; i < sum.size();) {
    auto other = literalValue(sum[i].e)
                     ? sum.end()
                     : std::find_if(sum.begin(), sum.end(), [&](const Term &term) {
                         return term.plus != sum[i].plus && same(term.e, sum[i].e);
                       });
    if (other == sum.end()) {
      ++i;
      continue;
    }
    const auto second = static_cast<std::size_t>(other - sum.begin());
    sum.erase(sum.begin() + static_cast<std::ptrdiff_t>(std::max(i, second)));
    sum.erase(sum.begin() + static_cast<std::ptrdiff_t>(std::min(i, second)));
    found = true;
    i = 0;
  }
  return found;
}

/// The quotient or remainder that a variable is declared as; `e` itself where it is none.
ExprPtr Ranges::divisionOf(const ExprPtr &e) const {
  if (e->kind != ExprKind::Var)
    return e;
  const auto value = definitions_.find(e->var.get());
  const bool divides = value != definitions_.end() &&
                       (isBinary(*value->second, "/") || isBinary(*value->second, "%"));
  return divides ? value->second : e;
}

/// (s + x / y) * y + x % y is s * y + x, whatever y is but 0. Several terms may have the factor y: their quotients by y are
/// joined first, as places in several dimensions that are counted in one row ask for.
bool Ranges::joinRemainder(Sum &sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const ExprPtr remainder = divisionOf(sum[i].e);
    if (!isBinary(*remainder, "%") || !isIndex(remainder))
      continue;
    const ExprPtr &y = remainder->args[1];
    const ExprPtr whole = binary("/", remainder->args[0], y);
    Sum quotients;
    Sum others;
    for (std::size_t j = 0; j < sum.size(); ++j) {
      if (i == j)
        continue;
      const ExprPtr times = sum[j].plus == sum[i].plus ? exactQuotientOf(sum[j].e, y) : nullptr;
      Sum terms;
      if (times && flatten(times, true, terms))
        quotients.insert(quotients.end(), terms.begin(), terms.end());
      else
        others.push_back(sum[j]);
    }
    while (joinRemainder(quotients)) {
    }
    const auto quotient = std::ranges::find_if(quotients, [&](const Term &term) {
      return term.plus && sameExpr(divisionOf(term.e), whole);
    });
    if (quotient == quotients.end())
      continue;
    quotients.erase(quotient);
    const ExprPtr factor = expressionOf(quotients);
    if (!factor)
      continue;
    if (!isLiteral(factor, 0))
      others.push_back({sum[i].plus, binary("*", factor, y)});
    others.push_back({sum[i].plus, whole->args[0]});
    sum = others;
    return true;
  }
  return false;
}

/// max(x, s) - s.
ExprPtr Ranges::rest(const ExprPtr &e) {
  const ExprPtr &s = e->args[1];
  if (!isCall(e->args[0], "max"))
    return nullptr;
  for (const auto &[x, start] : {std::pair(e->args[0]->args[0], e->args[0]->args[1]),
                                 std::pair(e->args[0]->args[1], e->args[0]->args[0])}) {
    if (!isNatural(x) || !isNatural(start) || !same(start, s))
      continue;
    if (isAtMost(x, s))
      return intLiteral(0);
    if (isCall(x, "min")) {
      if (ExprPtr length = partLength(x->args[0], x->args[1], s))
        return length;
      if (ExprPtr length = partLength(x->args[1], x->args[0], s))
        return length;
    }
  }
  return nullptr;
}

/// max(min(end, size), start) - start, where end = start + length.
ExprPtr Ranges::partLength(const ExprPtr &end, const ExprPtr &size, const ExprPtr &start) {
  Sum terms;
  if (!flatten(end, true, terms) || !isNatural(size))
    return nullptr;
  auto found = std::find_if(terms.begin(), terms.end(),
                            [&](const Term &term) { return term.plus && same(term.e, start); });
  if (found == terms.end())
    return nullptr;
  terms.erase(found);
  const ExprPtr length = expressionOf(terms);
  if (!length || !facts().isExact(valueOf(terms)))
    return nullptr;
  const ExprPtr before = isAtMost(start, size) ? start
                                               : call("min", scalarType(Scalar::Index),
                                                      {asIndex(start), asIndex(size)});
  return call("min", scalarType(Scalar::Index), {length, binary("-", asIndex(size), before)});
}

/// e / divisor, where the divisor's factors are among those of `e`; null otherwise.
ExprPtr Ranges::exactQuotientOf(const ExprPtr &e, const ExprPtr &divisor) const {
  if (e->kind == ExprKind::Var) {
    const auto value = definitions_.find(e->var.get());
    if (value != definitions_.end() && isBinary(*value->second, "*"))
      return exactQuotientOf(value->second, divisor);
  }
  const auto value = literalValue(e);
  const auto by = literalValue(divisor);
  if (value && by && *by > 0 && *value >= 0)
    return *value % *by == 0 ? intLiteral(*value / *by) : nullptr;
  std::vector<ExprPtr> factors = factorsOf(e);
  const std::vector<ExprPtr> divisors = factorsOf(divisor);
  for (const ExprPtr &each : divisors) {
    auto found = std::find_if(factors.begin(), factors.end(),
                              [&](const ExprPtr &factor) { return sameExpr(factor, each); });
    if (found == factors.end())
      return nullptr;
    factors.erase(found);
  }
  const ExprPtr product = productOf(factors);
  return isIndex(product) ? product : nullptr;
}

/// Whether nothing wraps around in a sum: neither where terms are only added none of which has, nor where all of it is
/// known not to be below 0.
bool Ranges::isExact(const Sum &sum) {
  auto isPlain = [&](const Term &term) {
    return term.plus && !facts().mayWrap(facts().of(term.e));
  };
  return std::ranges::all_of(sum, isPlain) || facts().isExact(valueOf(sum));
}

ExprPtr Ranges::quotient(const ExprPtr &e) {
  const ExprPtr &d = e->args[1];
  Sum terms;
  if (!flatten(e->args[0], true, terms))
    return nullptr;
  if (ExprPtr found = rounds(terms, d))
    return found;
  if (!facts().isPositive(facts().of(d)))
    return nullptr;
  Sum whole;
  Sum left;
  for (const Term &term : terms) {
    const ExprPtr times = exactQuotientOf(term.e, d);
    (times ? whole : left).push_back({term.plus, times ? times : term.e});
  }
  const Polynomial remaining = valueOf(left);
  const bool isSmall = facts().isNonNegative(facts().of(d) - remaining - 1);
  if (whole.empty() && !isSmall)
    return factored(remaining, facts().of(d), false);
  if (!isExact(left) || !isExact(whole))
    return nullptr;
  if (!isSmall) {
    const ExprPtr dividend = expressionOf(left);
    if (!dividend)
      return nullptr;
    whole.push_back({true, binary("/", dividend, d)});
  }
  return expressionOf(whole);
}

/// (max(n, s) - s + d - 1) / d, where s < d.
ExprPtr Ranges::rounds(const Sum &dividend, const ExprPtr &d) {
  for (std::size_t i = 0; i < dividend.size(); ++i) {
    if (!dividend[i].plus || !isCall(dividend[i].e, "max"))
      continue;
    const ExprPtr &greatest = dividend[i].e;
    for (std::size_t j = 0; j < dividend.size(); ++j) {
      const std::size_t k = sameExpr(greatest->args[1], dividend[j].e) ? 0 : 1;
      if (dividend[j].plus || !sameExpr(greatest->args[1 - k], dividend[j].e))
        continue;
      Sum others = dividend;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
      const Polynomial most = facts().of(d) - 1;
      if (!(valueOf(others) == most) || facts().mayWrap(most) ||
          !facts().isNonNegative(most - facts().of(dividend[j].e)))
        continue;
      Sum terms = dividend;
      terms[i].e = greatest->args[k];
      const ExprPtr sum = expressionOf(terms);
      return sum ? binary("/", sum, d) : nullptr;
    }
  }
  return nullptr;
}

ExprPtr Ranges::remainder(const ExprPtr &e) {
  const ExprPtr &d = e->args[1];
  Sum terms;
  if (!flatten(e->args[0], true, terms) || !facts().isPositive(facts().of(d)))
    return nullptr;
  Sum left = terms;
  std::erase_if(left, [&](const Term &term) { return exactQuotientOf(term.e, d) != nullptr; });
  const Polynomial remaining = valueOf(left);
  if (!isExact(left) || !isExact(terms))
    return nullptr;
  const ExprPtr dividend = expressionOf(left);
  if (dividend && facts().isNonNegative(facts().of(d) - remaining - 1))
    return dividend;
  if (left.size() == terms.size())
    return factored(remaining, facts().of(d), true);
  return dividend ? binary("%", dividend, d) : nullptr;
}

/// Of a dividend that is q * divisor + r, where 0 <= r < divisor, though no term shows it.
ExprPtr Ranges::factored(const Polynomial &dividend, const Polynomial &divisor, bool remainder) {
  const Polynomial q = algebra::quotient(dividend, divisor);
  const Polynomial r = dividend - q * divisor;
  if (q.isZero() || facts().mayWrap(dividend) || !facts().isNonNegative(q) ||
      !facts().isNonNegative(r) || !facts().isPositive(divisor - r))
    return nullptr;
  const ExprPtr result = facts().expression(remainder ? r : q);
  const bool converts = !result || contains(result, [](const Expr &each) {
    return each.type.isContainer() || each.type.scalar != Scalar::Index;
  });
  return converts ? nullptr : result;
}

ExprPtr Ranges::extreme(const ExprPtr &e) {
  const ExprPtr &a = e->args[0];
  const ExprPtr &b = e->args[1];
  if (!isNatural(a) || !isNatural(b))
    return nullptr;
  const bool isMin = e->callee == "min";
  if (isAtMost(a, b))
    return isMin ? a : b;
  return isAtMost(b, a) ? (isMin ? b : a) : nullptr;
}

ExprPtr Ranges::comparison(const ExprPtr &e) {
  const Operator op = e->op;
  auto known = [](bool value) { return intLiteral(value ? 1 : 0, Scalar::Bool); };
  const bool isOrder = op == "<" || op == "<=" || op == ">" || op == ">=";
  if (!isOrder && op != "==" && op != "!=")
    return nullptr;
  const Polynomial a = facts().of(e->args[0]);
  const Polynomial b = facts().of(e->args[1]);
  if (!isOrder) {
    if (a == b)
      return known(op == "==");
    return facts().isPositive(a - b) || facts().isPositive(b - a) ? known(op == "!=") : nullptr;
  }
  const bool less = op == "<" || op == "<=";
  const std::int64_t gap = op == "<" || op == ">" ? 1 : 0;
  const Polynomial difference = less ? b - a : a - b;
  if (facts().isNonNegative(difference - gap, effortOfComparison))
    return known(true);
  return facts().isNonNegative(-difference - (1 - gap)) ? known(false) : nullptr;
}

} // namespace tangram::algebra
