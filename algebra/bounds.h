// What an expression is at least and at most, when the ends of its variables are known.
//
// Interval arithmetic whose ends are polynomials over what has no ends of its own: sizes,
// unsigned parameters, and quotients that do not divide out. Which of two ends is the smaller one
// is asked of the prover (algebra/inequalities.h), which may know facts of the sizes. Arithmetic
// is that of the whole numbers: what would not fit 64 bits becomes unknown, never wrong; and so
// does what may wrap around below 0.
#pragma once

#include "algebra/inequalities.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tangram::algebra {

/// None: nothing is known.
using Bound = std::optional<Polynomial>;
Bound operator+(const Bound &a, const Bound &b);
Bound operator-(const Bound &a, const Bound &b);
Bound operator*(const Bound &a, const Bound &b);
/// The value when no atom occurs in it.
std::optional<std::int64_t> literal(const Bound &bound);

class Bounds {
public:
  /// The upper or the lower end of a variable, a size or an element; nothing when it has none and
  /// is an atom of the polynomials itself.
  using EndOf = std::function<std::optional<Bound>(const ir::Expr &leaf, bool upper)>;

  explicit Bounds(EndOf endOf = {}) : endOf_(std::move(endOf)) {}

  /// What holds of the atoms.
  Inequalities &facts() { return facts_; }

  /// The upper bound of `e`, or the lower one.
  Bound extreme(const ir::ExprPtr &e, bool upper);
  /// Its value where upper and lower bound are the same.
  Bound exactly(const ir::ExprPtr &e);

  /// Rounded down; `b` at least 1.
  Bound divide(const Bound &a, const Bound &b);
  Bound divideUp(const Bound &a, const Bound &b);

  /// Whether a <= b wherever the facts hold; false when that cannot be shown.
  bool isAtMost(const Bound &a, const Bound &b) const;
  bool isAtLeast(const Bound &bound, std::int64_t value) const { return isAtMost(value, bound); }
  bool isNatural(const ir::ExprPtr &e) { return isAtLeast(extreme(e, false), 0); }

  /// Whether e = a - b stays above zero, where an unsigned type would wrap.
  bool staysAbove(const ir::Expr &e);
  /// Whether something in `e` may go below zero and wrap; then its sums and products say nothing.
  bool mayWrap(const ir::ExprPtr &e);
  bool mayDivideByZero(const ir::ExprPtr &e);

  /// The bound, which is known, as an expression of type Index.
  ir::ExprPtr expression(const Bound &bound) const;

private:
  /// A question from outside, or a part of one. What parts found is forgotten with the outermost one: facts and ends may
  /// change before the next.
  class Question {
  public:
    explicit Question(Bounds &bounds) : bounds_(bounds) { ++bounds_.depth_; }
    ~Question() {
      if (--bounds_.depth_ == 0)
        bounds_.found_ = {};
    }
    Question(const Question &) = delete;
    Question &operator=(const Question &) = delete;

  private:
    Bounds &bounds_;
  };

  Bound extremeOf(const ir::ExprPtr &e, bool upper);
  Bound extremeOfBinary(const ir::Expr &e, bool upper);
  Bound extremeOfCall(const ir::Expr &e, bool upper);

  EndOf endOf_;
  Inequalities facts_;
  /// Lower and upper bounds that the question at hand has found: each node asks for those of its parts several times. By
  /// variable, or by node, which is kept alive.
  std::array<std::map<const void *, std::pair<ir::ExprPtr, Bound>>, 2> found_;
  unsigned depth_ = 0;
};

/// An upper bound of `e` as an expression over the variables that `isKnown` says; null when none is
/// found. `most`: what another variable is at most, in terms of any; null when nothing is known of
/// it. `positive`: known variables that are at least 1.
///
/// A part of a part of at most T elements has at most T of them, whatever the sizes are: min(T, n)
/// is at most T where n is not known.
ir::ExprPtr upperBoundOver(const ir::ExprPtr &e,
                           const std::function<bool(const ir::Expr &variable)> &isKnown,
                           const std::function<ir::ExprPtr(const ir::VarPtr &)> &most,
                           const std::vector<ir::VarPtr> &positive);

/// A conversion that keeps the value of everything its operand's type holds, or of what is not
/// negative when only the sign differs.
bool widens(const ir::Expr &cast);

} // namespace tangram::algebra
