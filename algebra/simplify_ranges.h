// The rules of simplification that need to know how large a number may be (algebra/simplify.h).
//
// A sum is a list of terms that are added or taken away. Sums and differences of 64 bits may be
// reordered freely, whatever wraps around on the way; a quotient, a remainder, a minimum or a
// comparison may only be rewritten where the prover shows that nothing did:
//
//   x + y - x                        y
//   (s + x / y) * y + x % y          s * y + x
//   (x * y + z) / y                  x + z / y            0 <= z, y >= 1
//   (x * y + z) % y                  z % y                0 <= z, y >= 1
//   x / y, x % y                     0, x                 x < y
//   min(x, y), max(x, y)             x or y               x <= y or y <= x
//   max(min(s + t, n), s) - s        min(t, n - min(s, n))
//   max(n, s) - s                    n - s                s <= n
//   (max(n, s) - s + d - 1) / d      (n + d - 1 - s) / d  s < d
//   x < y and the like               true or false        when known
//
// (Rules and conditions: Steuwer et al., CGO'17, section 5.3, under C's truncation; the last but
// two is how the parts of a cut are made, the next one how rounds of interleaved workers are.)
#pragma once

#include "algebra/inequalities.h"

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tangram::algebra {

/// The factors of a product of indexes, from left to right; `product` alone where it is none.
std::vector<ir::ExprPtr> factorsOf(const ir::ExprPtr &product);

/// What is known at one place of a program.
class Ranges {
public:
  /// Definitions of variables.
  using Definitions = std::unordered_map<const ir::Var *, ir::ExprPtr>;

  /// `facts`: what is known, which is asked for where it is needed; most expressions can do without.
  /// `definitions` have to live as long.
  Ranges(std::function<Inequalities()> facts, const Definitions &definitions)
      : makeFacts_(std::move(facts)), definitions_(definitions) {}

  /// An Inequalities for places of which nothing is known. `proofs`: what others asked; null: nobody did.
  static Inequalities nothing(std::shared_ptr<Proofs> proofs);
  /// What is known.
  Inequalities &facts() {
    if (!facts_)
      facts_.emplace(makeFacts_());
    return *facts_;
  }

  /// `e`, whose operands are simple already, by one of the rules above; `e` itself when none
  /// applies or the result would not be shorter.
  ir::ExprPtr simplified(const ir::ExprPtr &e);

private:
  struct Term {
    bool plus;
    ir::ExprPtr e;
  };
  using Sum = std::vector<Term>;

  static bool flatten(const ir::ExprPtr &e, bool plus, Sum &sum);
  static ir::ExprPtr expressionOf(const Sum &sum);
  Polynomial valueOf(const Sum &sum);
  bool same(const ir::ExprPtr &a, const ir::ExprPtr &b);
  bool isAtMost(const ir::ExprPtr &a, const ir::ExprPtr &b);

  bool isExact(const Sum &sum);
  /// e / divisor, where the divisor's factors are among those of `e`, or of what `e` is a name of; null
  /// otherwise.
  ir::ExprPtr exactQuotientOf(const ir::ExprPtr &e, const ir::ExprPtr &divisor) const;

  ir::ExprPtr rewritten(const ir::ExprPtr &e);
  ir::ExprPtr sum(const ir::ExprPtr &e);
  bool cancel(Sum &sum);
  ir::ExprPtr divisionOf(const ir::ExprPtr &e) const;
  bool joinRemainder(Sum &sum);
  ir::ExprPtr rest(const ir::ExprPtr &e);
  ir::ExprPtr partLength(const ir::ExprPtr &end, const ir::ExprPtr &size, const ir::ExprPtr &start);
  ir::ExprPtr quotient(const ir::ExprPtr &e);
  ir::ExprPtr rounds(const Sum &dividend, const ir::ExprPtr &divisor);
  ir::ExprPtr remainder(const ir::ExprPtr &e);
  ir::ExprPtr factored(const Polynomial &dividend, const Polynomial &divisor, bool remainder);
  ir::ExprPtr extreme(const ir::ExprPtr &e);
  ir::ExprPtr comparison(const ir::ExprPtr &e);

  std::function<Inequalities()> makeFacts_;
  std::optional<Inequalities> facts_; ///< nothing: nobody asked
  const Definitions &definitions_;
};

} // namespace tangram::algebra
