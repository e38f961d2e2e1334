// Index expressions as polynomials: integers, the lane number, the iteration
// counts of loops, and everything else as indivisible terms. A stride is the
// coefficient of the lane or of an iteration count (dissertation section 6.5.2
// classifies it).
#pragma once

#include "composer/locality_variables.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tangram::composer {

/// What a polynomial is made of besides integers.
struct Atom {
  enum class Kind {
    Lane,      ///< coopIdx()
    Iteration, ///< iteration of `loop`, counted from 0
    Entry,     ///< the unknown value of variable `expr` when `loop` is entered
    Opaque,    ///< `expr`, not looked into
  };
  Kind kind = Kind::Opaque;
  const Loop *loop = nullptr;
  /// Opaque, Entry: the expression. Iteration: the variable that equals the count, or null.
  ir::ExprPtr expr;
};

/// Sorted factors (indexes into the atoms of a PolynomialBuilder), a power repeated.
using Monomial = std::vector<unsigned>;

/// Sum of integer multiples of monomials; no zero coefficients are stored.
struct Polynomial {
  std::map<Monomial, std::int64_t> terms;

  bool isZero() const { return terms.empty(); }
  /// The value when no atom occurs.
  std::optional<std::int64_t> constant() const;
  bool operator==(const Polynomial &) const = default;
};

Polynomial constantPolynomial(std::int64_t value);
Polynomial operator+(const Polynomial &a, const Polynomial &b);
Polynomial operator-(const Polynomial &a, const Polynomial &b);
Polynomial operator*(const Polynomial &a, const Polynomial &b);

/// `polynomial` = coefficient * atom + rest; `linear` is false when the atom
/// occurs in a higher power.
struct Split {
  bool linear = true;
  Polynomial coefficient;
  Polynomial rest;
};
Split splitBy(const Polynomial &polynomial, unsigned atom);

/// Turns the index expressions of one codelet into polynomials over one set of atoms.
class PolynomialBuilder {
public:
  /// Named: invariant variables stay names (`tile`), for messages.
  /// Expanded: they are replaced by their definitions, for comparing.
  enum class Style { Named, Expanded };

  PolynomialBuilder(const Variables &variables, Style style)
      : variables_(variables), style_(style) {}

  /// `e` as used inside loop `at` (null: outside of any loop).
  Polynomial build(const ir::ExprPtr &e, const Loop *at);

  const std::vector<Atom> &atoms() const { return atoms_; }
  unsigned lane();
  unsigned iteration(const Loop *loop);

  /// The polynomial as an expression; null when an iteration count in it has no name.
  ir::ExprPtr expression(const Polynomial &polynomial) const;

private:
  Polynomial ofVariable(const ir::ExprPtr &e, const Loop *at);
  Polynomial ofBinary(const ir::ExprPtr &e, const Loop *at);
  Polynomial opaque(const ir::ExprPtr &e);
  unsigned find(Atom::Kind kind, const Loop *loop, const ir::ExprPtr &e);
  bool isInvariant(const Polynomial &p) const;

  const Variables &variables_;
  Style style_;
  std::vector<Atom> atoms_;
};

} // namespace tangram::composer
