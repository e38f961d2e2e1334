// Bounds of tunables: integers, and expressions over sizes that are known only when a kernel runs.
//
// A bound is a polynomial over atoms: sizes, unsigned parameters, and quotients that do not divide
// out. Every atom is at least 0, and what it divides by at least 1. Arithmetic is that of the whole
// numbers: what would not fit 64 bits becomes unknown, never wrong.
#pragma once

#include "ir/expr.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tangram::composer {

/// Sum of multiples of products of atoms (sorted; a power repeated).
using BoundTerms = std::map<std::vector<unsigned>, std::int64_t>;
/// None: nothing is known.
using Bound = std::optional<BoundTerms>;

/// Computes with bounds; holds the atoms they are made of, and what is known of sizes.
class BoundAlgebra {
public:
  static Bound constant(std::int64_t value);
  /// The value when no atom occurs in it.
  static std::optional<std::int64_t> literal(const Bound &bound);

  Bound atom(const ir::ExprPtr &expr);
  static Bound add(const Bound &a, const Bound &b);
  static Bound subtract(const Bound &a, const Bound &b);
  static Bound multiply(const Bound &a, const Bound &b);
  /// Rounded down; `b` at least 1.
  Bound divide(const Bound &a, const Bound &b);
  Bound divideUp(const Bound &a, const Bound &b);

  /// From now on `a <= b` is known to hold for the sizes.
  void know(Bound a, Bound b);
  /// Whether a <= b for all sizes; false when that cannot be shown.
  bool isAtMost(const Bound &a, const Bound &b) const;
  /// Whether the bound is at least `value` for all sizes.
  bool isAtLeast(const Bound &bound, std::int64_t value) const {
    return isAtMost(constant(value), bound);
  }

  /// The bound as an expression of type Index.
  ir::ExprPtr expression(const Bound &bound) const;

private:
  struct Atom {
    ir::ExprPtr expr;
    /// Of a quotient; its numerator, for comparing.
    Bound numerator, denominator;
  };
  unsigned find(const ir::ExprPtr &expr);

  std::vector<Atom> atoms;
  std::vector<std::pair<Bound, Bound>> known;
};

} // namespace tangram::composer
