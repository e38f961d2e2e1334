#include "algebra/polynomial.h"

#include <algorithm>
#include <numeric>

namespace tangram::algebra {

Polynomial Polynomial::of(Atom atom) {
  Polynomial p;
  Monomial monomial;
  p.overflowed_ = !monomial.append(atom);
  p.addTerm(monomial, 1);
  return p;
}

std::int64_t Polynomial::constant() const {
  return terms_.empty() || !terms_.front().first.empty() ? 0 : terms_.front().second;
}

std::optional<std::int64_t> Polynomial::literal() const {
  return isConstant() && !overflowed_ ? std::optional(constant()) : std::nullopt;
}

bool Polynomial::hasNoNegativeTerm() const {
  return !overflowed_ && std::all_of(terms_.begin(), terms_.end(),
                                     [](const auto &term) { return term.second > 0; });
}

std::int64_t Polynomial::content() const {
  std::int64_t divisor = 0;
  for (const auto &[monomial, coefficient] : terms_) {
    if (!monomial.empty())
      divisor = std::gcd(divisor, coefficient);
  }
  return divisor;
}

bool Polynomial::mentions(Atom atom) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const auto &term) {
    return std::binary_search(term.first.begin(), term.first.end(), atom);
  });
}

double Polynomial::at(const std::vector<std::int64_t> &values) const {
  double sum = 0;
  for (const auto &[monomial, coefficient] : terms_) {
    auto product = static_cast<double>(coefficient);
    for (Atom atom : monomial)
      product *= static_cast<double>(values[atom]);
    sum += product;
  }
  return sum;
}

void Polynomial::addTerm(const Monomial &monomial, std::int64_t coefficient) {
  // The smallest number is left out, so that every coefficient can be negated.
  auto term = std::lower_bound(terms_.begin(), terms_.end(), monomial,
                               [](const auto &a, const Monomial &b) { return a.first < b; });
  if (term == terms_.end() || term->first != monomial)
    term = terms_.insert(term, {monomial, 0});
  std::int64_t &sum = term->second;
  overflowed_ |= __builtin_add_overflow(sum, coefficient, &sum) || sum == INT64_MIN;
  if (sum == 0)
    terms_.erase(term);
}

void Polynomial::add(const Polynomial &b, std::int64_t sign) {
  overflowed_ |= b.overflowed_;
  Terms sum;
  sum.reserve(terms_.size() + b.terms_.size());
  auto own = terms_.begin();
  for (const auto &[monomial, coefficient] : b.terms_) {
    while (own != terms_.end() && own->first < monomial)
      sum.push_back(*own++);
    std::int64_t value = coefficient * sign; // which is no smallest number
    if (own != terms_.end() && own->first == monomial) {
      overflowed_ |= __builtin_add_overflow(own->second, value, &value) || value == INT64_MIN;
      ++own;
    }
    if (value != 0)
      sum.emplace_back(monomial, value);
  }
  sum.insert(sum.end(), own, terms_.end());
  terms_ = std::move(sum);
}

Polynomial Polynomial::times(const Monomial &monomial, std::int64_t coefficient) const {
  Polynomial result;
  result.overflowed_ = overflowed_;
  if (coefficient == 0)
    return result;
  result.terms_.reserve(terms_.size());
  for (const auto &[own, factor] : terms_) {
    Monomial product;
    result.overflowed_ |= !multiply(own, monomial, product);
    std::int64_t value = 0;
    result.overflowed_ |= __builtin_mul_overflow(factor, coefficient, &value) || value == INT64_MIN;
    if (result.overflowed_)
      return result;
    result.terms_.emplace_back(product, value);
  }
  return result;
}

Polynomial Polynomial::with(Atom atom, const Polynomial &value) const {
  if (!mentions(atom))
    return *this;
  Polynomial result;
  result.overflowed_ = overflowed_;
  for (const auto &[monomial, coefficient] : terms_) {
    Monomial others;
    Polynomial product(coefficient);
    for (Atom each : monomial) {
      if (each == atom)
        product = product * value;
      else
        others.append(each);
    }
    result = result + product.times(others, 1);
  }
  return result;
}

Polynomial Polynomial::renamed(const std::vector<Atom> &names) const {
  Polynomial result;
  result.overflowed_ = overflowed_;
  result.terms_.reserve(terms_.size());
  for (const auto &[monomial, coefficient] : terms_) {
    Monomial product;
    for (Atom atom : monomial)
      product.append(names[atom]);
    result.terms_.emplace_back(product, coefficient);
  }
  return result;
}

Polynomial operator+(Polynomial a, const Polynomial &b) {
  a.add(b, 1);
  return a;
}

Polynomial operator-(Polynomial a, const Polynomial &b) {
  a.add(b, -1);
  return a;
}

Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial result;
  result.overflowed_ = a.overflowed_ || b.overflowed_;
  for (const auto &[monomial, coefficient] : b.terms_)
    result.add(a.times(monomial, coefficient), 1);
  return result;
}

bool multiply(const Monomial &a, const Monomial &b, Monomial &product) {
  if (a.size() + b.size() > Monomial::most)
    return false;
  if (a.empty() || b.empty()) {
    product = a.empty() ? b : a;
    return true;
  }
  product = {};
  auto own = a.begin();
  auto other = b.begin();
  while (own != a.end() || other != b.end())
    product.append(other == b.end() || (own != a.end() && *own <= *other) ? *own++ : *other++);
  return true;
}

bool divides(const Monomial &divisor, const Monomial &product, Monomial &quotient) {
  quotient = {};
  auto d = divisor.begin();
  for (Atom atom : product) {
    if (d != divisor.end() && *d == atom)
      ++d;
    else
      quotient.append(atom);
  }
  return d == divisor.end();
}

Polynomial quotient(Polynomial p, const Polynomial &d) {
  Polynomial result;
  if (d.terms().empty() || d.overflowed())
    return result;
  const auto &[lead, divisor] = *d.terms().rbegin();
  // Taking out a term brings smaller ones only, so that this ends.
  for (bool found = true; found && !p.overflowed();) {
    found = false;
    for (auto term = p.terms().rbegin(); term != p.terms().rend(); ++term) {
      Monomial rest;
      std::int64_t factor = term->second / divisor;
      if (factor == 0 || !divides(lead, term->first, rest))
        continue;
      result.addTerm(rest, factor);
      p = p - d.times(rest, factor);
      found = true;
      break;
    }
  }
  return result;
}

std::optional<Polynomial> exactQuotient(const Polynomial &a, const Polynomial &b) {
  if (b.terms().size() != 1 || a.overflowed() || b.overflowed())
    return std::nullopt;
  const auto &[divisor, factor] = *b.terms().begin();
  Polynomial result;
  for (const auto &[monomial, coefficient] : a.terms()) {
    Monomial rest;
    if (coefficient % factor != 0 || !divides(divisor, monomial, rest))
      return std::nullopt;
    result.addTerm(rest, coefficient / factor);
  }
  return result;
}

Split splitBy(const Polynomial &p, Atom atom) {
  Split split;
  for (const auto &[monomial, coefficient] : p.terms()) {
    Monomial without = monomial;
    auto found = std::find(without.begin(), without.end(), atom);
    if (found == without.end()) {
      split.rest.addTerm(monomial, coefficient);
      continue;
    }
    without.erase(found);
    split.coefficient.addTerm(without, coefficient);
  }
  split.linear = !p.overflowed() && !split.coefficient.mentions(atom);
  return split;
}

ir::ExprPtr expressionOf(const Polynomial &p, const std::function<ir::ExprPtr(Atom)> &factor) {
  if (p.overflowed())
    return nullptr;
  Polynomial::Terms terms = p.terms();
  std::stable_sort(terms.begin(), terms.end(), [](const auto &a, const auto &b) {
    const bool taken = a.second < 0;
    return taken != (b.second < 0) ? !taken : a.first.size() > b.first.size();
  });
  ir::ExprPtr sum;
  for (const auto &[monomial, coefficient] : terms) {
    const bool taken = sum && coefficient < 0;
    const std::int64_t magnitude = taken ? -coefficient : coefficient;
    ir::ExprPtr product = monomial.empty() || magnitude != 1 ? ir::intLiteral(magnitude) : nullptr;
    for (Atom atom : monomial) {
      const ir::ExprPtr each = factor(atom);
      if (!each)
        return nullptr;
      product = product ? ir::binary("*", product, each) : each;
    }
    sum = sum ? ir::binary(taken ? ir::Operator("-") : ir::Operator("+"), sum, product) : product;
  }
  return sum ? sum : ir::intLiteral(0);
}

} // namespace tangram::algebra
