// Index expressions as polynomials: integers, the lane number, the iteration
// counts of loops, and everything else as indivisible terms. A stride is the
// coefficient of the lane or of an iteration count (dissertation section 6.5.2
// classifies it).
#pragma once

#include "algebra/polynomial.h"
#include "composer/analysis/locality_variables.h"

#include <vector>

namespace tangram::composer {

/// What an atom of these polynomials stands for.
struct IndexTerm {
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

/// Turns the index expressions of one codelet into polynomials over one set of atoms.
class PolynomialBuilder {
public:
  /// Named: invariant variables stay names (`tile`), for messages.
  /// Expanded: they are replaced by their definitions, for comparing.
  enum class Style { Named, Expanded };

  PolynomialBuilder(const Variables &variables, Style style)
      : variables_(variables), style_(style) {}

  /// `e` as used inside loop `at` (null: outside of any loop).
  algebra::Polynomial build(const ir::ExprPtr &e, const Loop *at);

  const std::vector<IndexTerm> &atoms() const { return atoms_; }
  algebra::Atom lane();
  algebra::Atom iteration(const Loop *loop);

  /// The polynomial as an expression; null when an iteration count in it has no name, or a
  /// coefficient is too large to be a stride anybody wrote.
  ir::ExprPtr expression(const algebra::Polynomial &polynomial) const;

private:
  algebra::Polynomial ofVariable(const ir::ExprPtr &e, const Loop *at);
  algebra::Polynomial ofBinary(const ir::ExprPtr &e, const Loop *at);
  algebra::Polynomial opaque(const ir::ExprPtr &e);
  algebra::Atom find(IndexTerm::Kind kind, const Loop *loop, const ir::ExprPtr &e);
  bool isInvariant(const algebra::Polynomial &p) const;

  const Variables &variables_;
  Style style_;
  std::vector<IndexTerm> atoms_;
};

} // namespace tangram::composer
