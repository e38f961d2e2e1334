#include "composer/tunable_bound.h"

#include <algorithm>

namespace tangram::composer {

namespace {

constexpr std::size_t mostTerms = 64;

/// to[monomial] += value; false when that does not fit.
bool accumulate(BoundTerms &to, const std::vector<unsigned> &monomial, std::int64_t value) {
  std::int64_t &stored = to[monomial];
  if (__builtin_add_overflow(stored, value, &stored))
    return false;
  if (stored == 0)
    to.erase(monomial);
  return true;
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// a / b where b is one monomial that divides every one of a.
Bound exactQuotient(const BoundTerms &a, const BoundTerms &b) {
  if (b.size() != 1)
    return std::nullopt;
  const auto &[divisor, factor] = *b.begin();
  BoundTerms quotient;
  for (const auto &[monomial, coefficient] : a) {
    if (coefficient % factor != 0 || !std::ranges::includes(monomial, divisor))
      return std::nullopt;
    std::vector<unsigned> rest;
    std::ranges::set_difference(monomial, divisor, std::back_inserter(rest));
    quotient[rest] = coefficient / factor;
  }
  return quotient;
}

/// Every value of the bound is at least 0, since no atom is below 0.
bool hasNoNegativeTerm(const BoundTerms &terms) {
  return std::ranges::all_of(terms, [](const auto &term) { return term.second >= 0; });
}

ir::ExprPtr index(std::int64_t value) { return ir::intLiteral(value); }

} // namespace

Bound BoundAlgebra::constant(std::int64_t value) {
  return value == 0 ? BoundTerms{} : BoundTerms{{{}, value}};
}

std::optional<std::int64_t> BoundAlgebra::literal(const Bound &bound) {
  if (!bound || bound->size() > 1 || (bound->size() == 1 && !bound->begin()->first.empty()))
    return std::nullopt;
  return bound->empty() ? 0 : bound->begin()->second;
}

unsigned BoundAlgebra::find(const ir::ExprPtr &expr) {
  auto found =
      std::ranges::find_if(atoms, [&](const Atom &each) { return ir::sameExpr(each.expr, expr); });
  if (found == atoms.end())
    found = atoms.insert(atoms.end(), Atom{expr, std::nullopt, std::nullopt});
  return static_cast<unsigned>(found - atoms.begin());
}

Bound BoundAlgebra::atom(const ir::ExprPtr &expr) { return BoundTerms{{{find(expr)}, 1}}; }

Bound BoundAlgebra::add(const Bound &a, const Bound &b) {
  if (!a || !b)
    return std::nullopt;
  BoundTerms sum = *a;
  for (const auto &[monomial, coefficient] : *b) {
    if (!accumulate(sum, monomial, coefficient))
      return std::nullopt;
  }
  return sum.size() > mostTerms ? Bound() : sum;
}

Bound BoundAlgebra::subtract(const Bound &a, const Bound &b) {
  return add(a, multiply(constant(-1), b));
}

Bound BoundAlgebra::multiply(const Bound &a, const Bound &b) {
  if (!a || !b)
    return std::nullopt;
  BoundTerms product;
  for (const auto &[left, x] : *a) {
    for (const auto &[right, y] : *b) {
      std::vector<unsigned> monomial;
      std::ranges::merge(left, right, std::back_inserter(monomial));
      std::int64_t coefficient = 0;
      if (__builtin_mul_overflow(x, y, &coefficient) || !accumulate(product, monomial, coefficient))
        return std::nullopt;
    }
  }
  return product.size() > mostTerms ? Bound() : product;
}

Bound BoundAlgebra::divide(const Bound &a, const Bound &b) {
  if (!a || !b || b->empty())
    return std::nullopt;
  const auto x = literal(a);
  const auto y = literal(b);
  if (x && y)
    return constant(floorDivide(*x, *y));
  if (Bound exact = exactQuotient(*a, *b))
    return exact;
  // What has no exact quotient becomes an atom, which must not be below 0.
  if (!hasNoNegativeTerm(*a))
    return std::nullopt;
  const unsigned made = find(ir::binary("/", expression(a), expression(b)));
  atoms[made].numerator = a;
  atoms[made].denominator = b;
  return BoundTerms{{{made}, 1}};
}

Bound BoundAlgebra::divideUp(const Bound &a, const Bound &b) {
  if (!a || !b || b->empty())
    return std::nullopt;
  if (Bound exact = exactQuotient(*a, *b))
    return exact;
  return divide(add(a, subtract(b, constant(1))), b);
}

void BoundAlgebra::know(Bound a, Bound b) { known.emplace_back(std::move(a), std::move(b)); }

bool BoundAlgebra::isAtMost(const Bound &a, const Bound &b) const {
  if (!a || !b)
    return false;
  const Bound difference = subtract(b, a);
  if (!difference)
    return false;
  if (hasNoNegativeTerm(*difference))
    return true;
  // b - a = (b' - a') * x + something not negative, where a' <= b' is known.
  auto shows = [&](const Bound &fact) {
    const Bound rest = subtract(difference, fact);
    return rest && hasNoNegativeTerm(*rest);
  };
  return std::ranges::any_of(known, [&](const auto &fact) {
    const Bound plain = subtract(fact.second, fact.first);
    if (shows(plain))
      return true;
    for (unsigned i = 0; i < atoms.size(); ++i) {
      if (shows(multiply(plain, BoundTerms{{{i}, 1}})))
        return true;
    }
    return false;
  });
}

ir::ExprPtr BoundAlgebra::expression(const Bound &bound) const {
  ir::ExprPtr sum;
  // Products before the constant, as people write it.
  for (auto term = bound->rbegin(); term != bound->rend(); ++term) {
    const auto &[monomial, coefficient] = *term;
    const bool negative = sum && coefficient < 0;
    const std::int64_t magnitude = negative ? -coefficient : coefficient;
    ir::ExprPtr product = monomial.empty() || magnitude != 1 ? index(magnitude) : nullptr;
    for (unsigned each : monomial)
      product = product ? ir::binary("*", product, atoms[each].expr) : atoms[each].expr;
    sum = sum ? ir::binary(negative ? "-" : "+", sum, product) : product;
  }
  return sum ? sum : index(0);
}

} // namespace tangram::composer
