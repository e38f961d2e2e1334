// What is known of the numbers in index expressions, and what follows from it.
#pragma once

#include "algebra/polynomial.h"
#include "algebra/proofs.h"
#include "algebra/wrapping.h"
#include "ir/expr.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tangram::algebra {

/// Facts of the form p >= 0, and a search for proofs of others.
///
/// A proof writes the goal as a sum of facts times products of numbers that are never negative
/// (a Positivstellensatz certificate), so what is proved is true wherever the facts are. The
/// search is bounded: what is not proved may be true all the same.
class Inequalities {
public:
  /// What a quotient says of its divisor: that of a division that is executed is at least 1; one
  /// that may not be executed is looked into only where that is proven.
  enum class Divisors { Executed, Proven };

  Inequalities() : Inequalities(nullptr) {}
  explicit Inequalities(std::shared_ptr<Proofs> proofs)
      : Inequalities(Divisors::Executed, 150, std::move(proofs)) {}
  /// `effort`: goals that a proof may look at before it is given up. `proofs`: what others were asked;
  /// null: nobody was.
  Inequalities(Divisors divisors, unsigned effort, std::shared_ptr<Proofs> proofs = nullptr)
      : divisors_(divisors), effort_(effort),
        proofs_(proofs ? std::move(proofs) : std::make_shared<Proofs>()) {}

  /// An unknown; `natural`: known to be >= 0.
  Atom unknown(bool natural = true, ir::ExprPtr expr = nullptr);
  /// The value of the expression as a polynomial, arithmetic being exact. Quotients, minima and maxima
  /// become unknowns, and what is known of those is added to the facts; so does what may wrap around:
  /// differences of Index values and conversions to Index that may be below 0, and the sums and
  /// products of such.
  Polynomial of(const ir::ExprPtr &e);
  /// The same as if nothing wrapped around in its sums, differences, products and conversions to
  /// Index: its value, but for a multiple of 2^64.
  Polynomial unwrapped(const ir::ExprPtr &e);
  /// The polynomial as an expression; null when an unknown in it stands for none.
  ir::ExprPtr expression(const Polynomial &p) const;
  /// Whether a number that is p but for a multiple of 2^64 is p itself: p is not below 0, and nothing in it may
  /// have wrapped around.
  bool isExact(const Polynomial &p) const { return !mayWrap(p) && isNonNegative(p); }
  /// Whether something in p may be what has wrapped around: a large number.
  bool mayWrap(const Polynomial &p) const;
  /// Whether `e` may have wrapped around, by its form and what its variables are given.
  bool mayWrapByForm(const ir::ExprPtr &e) const;
  /// From now on `var` is another name of `value`.
  void define(const ir::VarPtr &var, const Polynomial &value);
  /// Whether these index variables are given what may have wrapped around; others say so themselves.
  void noteWrapping(std::shared_ptr<const WrappingVariables> variables) {
    wrapping_ = std::move(variables);
  }
  /// From now on p >= 0.
  void assume(Polynomial p);
  /// From now on `condition` (comparisons, joined by && or ||) holds, or does not; what is of
  /// another form says nothing.
  void assumeCondition(const ir::ExprPtr &condition, bool holds = true);

  bool isNonNegative(const Polynomial &p) const { return isNonNegative(p, effort_); }
  /// Looking at so many goals.
  bool isNonNegative(const Polynomial &p, unsigned effort) const;
  bool isPositive(const Polynomial &p) const { return isNonNegative(p - 1); }

  /// Two values of which an unknown has one, and when it has the first: min(a, b) is a or b.
  struct Choice {
    Atom atom;
    Polynomial first, second;
    Polynomial ifFirst; ///< >= 0 when it is the first, <= 0 when the second
  };
  const std::vector<Choice> &choices() const { return choices_; }
  /// From now on p >= 0, and with it all that it says of the minima and maxima that it is made of: those
  /// that would make it false with one of their values have the other. Where a part has an element, it
  /// begins in its container.
  void assumeDeciding(const Polynomial &p);
  /// The same with `atom` known to be `value`, and `fact` >= 0.
  Inequalities with(const Choice &choice, bool first) const;

private:
  struct Unknown {
    ir::ExprPtr expr;
    bool natural = true;
    bool wraps = false; ///< may be what has wrapped around, where no fact says what it is at most
  };
  class Search;
  using Values = Proofs::Values;
  struct Quotient {
    Atom atom;
    Polynomial dividend, divisor;
  };

  /// What was found before, in this object: a copy begins anew.
  template <typename Key, typename Value> struct Memory {
    Memory() = default;
    Memory(const Memory &) {}
    Memory(Memory &&) = default;
    Memory &operator=(const Memory &) {
      all.clear();
      return *this;
    }
    Memory &operator=(Memory &&) = default;
    ~Memory() = default;
    std::unordered_map<Key, Value> all;
  };
  struct Verdict {
    bool holds = false;
    std::size_t facts = 0; ///< that were known
    unsigned effort = 0;
  };
  /// What an expression was with so many facts and definitions, where that told of no more of them.
  struct Written {
    ir::ExprPtr e; ///< so that its address stays its own
    Polynomial value;
    std::size_t facts = 0;
    std::size_t definitions = 0;
  };

  /// Of a part, in which nobody did.
  bool proves(const Polynomial &p, unsigned effort) const;
  std::set<Atom> madeOf(const Polynomial &p) const;
  /// Whether `choice` cannot have one of its values where p >= 0.
  bool contradicts(const Polynomial &p, const Choice &choice, bool first) const;
  bool provesContradiction(const Polynomial &p, const Choice &choice, bool first) const;
  Polynomial made(const ir::ExprPtr &e);
  Polynomial opaque(const ir::ExprPtr &e, bool &isNew);
  Polynomial wrapping(const ir::ExprPtr &e);
  bool mayWrap(Atom atom, unsigned depth) const;
  bool isBoundedBy(const Polynomial &fact, Atom atom, unsigned depth) const;
  Polynomial quotientOf(const ir::ExprPtr &e);
  Polynomial remainderOf(const ir::ExprPtr &e);
  Polynomial extremeOf(const ir::ExprPtr &e);
  bool isNatural(const Monomial &m) const;
  bool isBad(const Monomial &m, std::int64_t coefficient) const;
  bool isAboveByLeast(const Polynomial &p) const;
  std::int64_t leastOf(Atom atom) const;

  // Facts that have to do with each other (algebra/connected_facts.cpp).
  struct Part;
  struct AskedPart {
    std::shared_ptr<Part> part = nullptr;
    std::size_t facts = 0; ///< of the whole, as everything here: those looked at
    Atom unknowns = 0;
    std::size_t links = 0; ///< quotients, minima and maxima
  };
  /// What is known of the unknowns in p and of those that facts connect them with: all that a proof of p
  /// can need.
  Part &partOf(const Polynomial &p) const;
  void bring(AskedPart &asked) const;
  /// It as a whole.
  const Inequalities &alone(Part &part) const;
  /// Which unknowns may be negative, then also each of the facts.
  std::vector<Proofs::List> listed() const;
  /// The unknowns in these have to do with each other from now on.
  void connect(std::initializer_list<const Polynomial *> polynomials);
  void connect(const Choice &choice);
  void connect(const Quotient &quotient);

  // Values that the facts allow (algebra/counterexamples.cpp): what is below 0 for one of them has no proof.
  /// Whether p < 0 for some of those that are known, of which a few are looked for at first.
  bool hasExampleBelowZero(const Polynomial &p) const;
  bool hasKnownExamples() const;
  /// What minima and maxima are: one of their two values, or whatever the facts allow, of which alone proofs
  /// are made.
  enum class Extremes : std::uint8_t { OneOfTwo, AsFactsSay };
  /// Whether p < 0 for some values that are found by changing those that are known.
  bool walksBelowZero(const Polynomial &p, Extremes extremes) const;
  /// Whether an unknown has its first value, or its second, in one of the examples.
  bool hasExample(const Choice &choice, bool first) const;
  void findExamples() const;
  std::vector<Values> examplesOfFewer() const;
  /// The examples, to be changed.
  std::vector<Values> &ownExamples() const;
  /// Whether all facts hold for these values of the unknowns.
  bool allows(const Values &values) const;
  /// The values of unknowns that others decide.
  static void complete(const Quotient &quotient, Values &values);
  static void complete(const Choice &choice, Values &values);
  class Walk;

  std::vector<Unknown> unknowns_;
  std::vector<Polynomial> facts_;
  std::vector<Choice> choices_;
  std::vector<Quotient> quotients_;
  std::vector<std::pair<ir::VarPtr, Polynomial>> definitions_;
  std::shared_ptr<const WrappingVariables> wrapping_; ///< null: nobody looked
  Divisors divisors_;
  unsigned effort_;
  std::shared_ptr<Proofs> proofs_;
  std::vector<Atom> component_;          ///< of each unknown: the same for those that facts connect
  mutable std::vector<AskedPart> parts_; ///< shared with copies
  /// Of a part, which does not change: which unknowns may be negative, and facts_.
  Proofs::List known_ = 0;
  /// Of a part: values of the unknowns that the facts allow; null before they are looked for.
  mutable std::shared_ptr<std::vector<Values>> examples_;
  mutable Memory<Proofs::Number, Verdict> verdicts_;
  Memory<const ir::Expr *, Written> written_;
};

} // namespace tangram::algebra
