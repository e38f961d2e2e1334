// Polynomials with integer coefficients over what an index expression cannot be taken apart
// into: variables, quotients, minima. The normal form in which offsets and strides are compared.
#pragma once

#include "ir/expr.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace tangram::algebra {

/// Number of an unknown; what it stands for is kept by whoever made it (algebra/inequalities.h).
using Atom = unsigned;
/// A product of atoms, sorted, with repetitions; empty: 1. Proofs make millions of them, so they are small
/// and own no memory; a polynomial with a term of more than `most` factors, or with an atom above
/// `mostAtom`, says nothing.
class Monomial {
public:
  static constexpr std::size_t most = 15;
  static constexpr Atom mostAtom = UINT16_MAX;

  Monomial() = default;
  Monomial(std::initializer_list<Atom> atoms) {
    for (Atom atom : atoms)
      append(atom);
  }

  /// At the end: `atom` is none before the last. False when there are too many, or it is too large.
  bool append(Atom atom) {
    if (size_ == most || atom > mostAtom)
      return false;
    atoms_[size_++] = static_cast<std::uint16_t>(atom);
    return true;
  }
  void erase(const std::uint16_t *atom) {
    std::copy(atom + 1, end(), atoms_.begin() + (atom - begin()));
    --size_;
  }

  const std::uint16_t *begin() const { return atoms_.data(); }
  const std::uint16_t *end() const { return atoms_.data() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Atom front() const { return atoms_[0]; }
  Atom operator[](std::size_t i) const { return atoms_[i]; }

  friend bool operator==(const Monomial &a, const Monomial &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  /// By degree first, so that the last term of a polynomial is its leading one. The same factor on both
  /// sides changes nothing.
  friend bool operator<(const Monomial &a, const Monomial &b) {
    return a.size_ != b.size_
               ? a.size_ < b.size_
               : std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  std::array<std::uint16_t, most> atoms_;
  std::uint16_t size_ = 0;
};

class Polynomial {
public:
  /// In the order of monomials.
  using Terms = std::vector<std::pair<Monomial, std::int64_t>>;

  Polynomial() = default;
  Polynomial(std::int64_t constant) { addTerm({}, constant); }
  static Polynomial of(Atom atom);

  /// No zero coefficients.
  const Terms &terms() const { return terms_; }
  /// A coefficient did not fit into 64 bits, or a term has too many factors: the terms say nothing.
  bool overflowed() const { return overflowed_; }
  bool isConstant() const { return terms_.empty() || terms_.rbegin()->first.empty(); }
  /// The term without atoms.
  std::int64_t constant() const;
  /// The value, when no atom occurs in it.
  std::optional<std::int64_t> literal() const;
  /// No coefficient is below 0: with atoms that never are, neither is the value.
  bool hasNoNegativeTerm() const;
  /// The greatest common divisor of the coefficients of the other terms; 0 when there are none.
  std::int64_t content() const;
  bool isZero() const { return terms_.empty() && !overflowed_; }
  bool mentions(Atom atom) const;
  /// Which one it is, of one that is an atom.
  Atom atom() const { return terms_.front().first.front(); }

  /// Its value for these of the atoms; exact up to 2^53.
  double at(const std::vector<std::int64_t> &values) const;

  void addTerm(const Monomial &monomial, std::int64_t coefficient);
  Polynomial times(const Monomial &monomial, std::int64_t coefficient) const;
  /// `value` in the place of `atom`.
  Polynomial with(Atom atom, const Polynomial &value) const;
  /// names[atom] in the place of each atom: in the same order as the atoms.
  Polynomial renamed(const std::vector<Atom> &names) const;

  friend Polynomial operator+(Polynomial a, const Polynomial &b);
  friend Polynomial operator-(Polynomial a, const Polynomial &b);
  friend Polynomial operator*(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator-(const Polynomial &a) { return Polynomial(0) - a; }
  friend bool operator==(const Polynomial &a, const Polynomial &b) {
    return !a.overflowed_ && !b.overflowed_ && a.terms_ == b.terms_;
  }

private:
  /// Adds the terms of `b` times `sign`.
  void add(const Polynomial &b, std::int64_t sign);

  Terms terms_;
  bool overflowed_ = false;
};

/// a * b; false when that has too many factors.
bool multiply(const Monomial &a, const Monomial &b, Monomial &product);
/// What is left of `product` without the factors of `divisor`; false when it lacks one of them.
bool divides(const Monomial &divisor, const Monomial &product, Monomial &quotient);

/// A quotient of `p` by `d`, as far as the leading term of `d` goes into terms of `p`. The
/// remainder is p - quotient * d.
Polynomial quotient(Polynomial p, const Polynomial &d);

/// a / b where b is one term that divides every term of a; nothing otherwise.
std::optional<Polynomial> exactQuotient(const Polynomial &a, const Polynomial &b);

/// p = coefficient * atom + rest; `linear` is false when the atom is in `coefficient` too.
struct Split {
  bool linear = true;
  Polynomial coefficient;
  Polynomial rest;
};
Split splitBy(const Polynomial &p, Atom atom);

/// The polynomial as an expression of type Index: products before the constant, and what is added
/// before what is taken away, so that no part of it is below 0 unless the whole is. Null when
/// `factor` knows no expression for an atom, or a coefficient has overflowed.
ir::ExprPtr expressionOf(const Polynomial &p, const std::function<ir::ExprPtr(Atom)> &factor);

} // namespace tangram::algebra
