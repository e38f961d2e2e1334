// The search for a proof that p >= 0: p as a sum of facts times products of numbers that are never negative (a
// Positivstellensatz certificate).
#include "algebra/connected_facts.h"
#include "algebra/floor_divide.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

namespace tangram::algebra {

namespace {

constexpr unsigned deepest = 12;       // facts used, one after the other
constexpr std::size_t mostFactors = 6; // degree of a goal

} // namespace

Polynomial reduced(const Polynomial &p) {
  std::int64_t divisor = p.content();
  if (divisor <= 1 || p.overflowed())
    return p;
  Polynomial least;
  for (const auto &[monomial, coefficient] : p.terms())
    least.addTerm(monomial,
                  monomial.empty() ? floorDivide(coefficient, divisor) : coefficient / divisor);
  return least;
}

/// The search keeps the goals that are still to be proved in a queue, the easiest one first: few terms that may be negative, a low
/// degree, few steps so far. The polynomial of a goal is computed when its turn comes, which it does for few of them.
class Inequalities::Search {
public:
  Search(const Inequalities &known, const Polynomial &p) : known_(known) {
    for (const Unknown &each : known.unknowns_)
      allNatural_ &= each.natural;
    for (const Polynomial &fact : known.facts_) {
      for (const auto &[monomial, coefficient] : fact.terms())
        terms_.push_back({maskOf(monomial), coefficient < 0, &fact, &monomial, coefficient});
    }
    proved_ = succeeds(reduced(p), 0);
  }

  /// Whether there is a proof; nothing if `goals` goals have been looked at and others are still open.
  std::optional<bool> proves(unsigned goals) {
    for (; !proved_ && looked_ < goals && !open_.empty(); ++looked_) {
      const Step step = steps_[open_.top().step];
      open_.pop();
      proved_ = succeeds(written(step), step.depth);
    }
    return proved_ || open_.empty() ? std::optional(proved_) : std::nullopt;
  }

private:
  /// A term of a fact.
  struct FactTerm {
    std::uint64_t mask;
    bool negative;
    const Polynomial *fact;
    const Monomial *monomial;
    std::int64_t coefficient;
  };
  /// A goal from which `from` >= 0 follows: f * from - c * rest * fact >= 0.
  struct Step {
    const Polynomial *from;
    const Polynomial *fact;
    Monomial rest;
    std::int64_t f, c;
    unsigned depth;
  };
  struct ByTerms {
    bool operator()(const Polynomial &a, const Polynomial &b) const {
      return a.terms() < b.terms();
    }
  };
  struct Open {
    std::size_t cost;
    std::size_t step;
    bool operator<(const Open &other) const { return cost > other.cost; }
  };

  /// The atoms of a monomial as bits: it divides another monomial only if that one has all of its bits.
  static std::uint64_t maskOf(const Monomial &m) {
    std::uint64_t mask = 0;
    for (Atom atom : m)
      mask |= std::uint64_t{1} << (atom % 64);
    return mask;
  }

  static Polynomial written(const Step &step) {
    return reduced(step.from->times({}, step.f) - step.fact->times(step.rest, step.c));
  }

  bool isBad(const Monomial &m, std::int64_t coefficient) const {
    return coefficient < 0 || (!allNatural_ && !known_.isNatural(m));
  }

  /// Whether no term may be negative. Otherwise adds the goals from which this one follows to the open ones.
  bool succeeds(Polynomial p, unsigned depth) {
    if (p.overflowed())
      return false;
    const auto bad = std::find_if(p.terms().rbegin(), p.terms().rend(),
                                  [&](const auto &term) { return isBad(term.first, term.second); });
    if (bad == p.terms().rend())
      return true;
    if (depth == deepest)
      return false;
    const auto at = p.terms().rend() - bad - 1;
    const auto [goal, isNew] = seen_.insert(std::move(p));
    if (isNew)
      reduce(*goal, goal->terms()[static_cast<std::size_t>(at)], depth + 1);
    return false;
  }

  /// Removes the term `bad` by each fact that has a term of the same sign that divides it:
  /// p >= 0 follows from f * p - c * rest * fact >= 0.
  void reduce(const Polynomial &goal, const Polynomial::Terms::value_type &bad, unsigned depth) {
    const auto &[term, c] = bad;
    const std::uint64_t missing = ~maskOf(term);
    for (const FactTerm &each : terms_) {
      if ((each.mask & missing) != 0 || each.negative != (c < 0))
        continue;
      Step step{&goal, each.fact, {}, 0, 0, depth};
      if (!divides(*each.monomial, term, step.rest) ||
          (!allNatural_ && !known_.isNatural(step.rest)))
        continue;
      const std::int64_t common = std::gcd(each.coefficient, c);
      step.f = std::abs(each.coefficient / common);
      step.c = std::abs(c / common);
      if (const auto cost = costOf(step)) {
        open_.push({*cost, steps_.size()});
        steps_.push_back(step);
      }
    }
  }

  /// The cost of a goal, found without its polynomial; nothing if its degree is too high or its coefficients too large.
  std::optional<std::size_t> costOf(const Step &step) const {
    std::size_t cost = 2 * step.depth;
    std::size_t degree = 0;
    const auto count = [&](const Monomial &monomial, std::int64_t coefficient) {
      degree = monomial.size();
      cost += isBad(monomial, coefficient) ? 2 : 0;
    };
    auto own = step.from->terms().begin();
    const auto end = step.from->terms().end();
    for (const auto &[monomial, coefficient] : step.fact->terms()) {
      Monomial product;
      std::int64_t taken = 0;
      if (!multiply(monomial, step.rest, product) ||
          __builtin_mul_overflow(coefficient, step.c, &taken) || taken == INT64_MIN)
        return std::nullopt;
      for (; own != end && own->first < product; ++own)
        count(own->first, own->second);
      if (own == end || own->first != product) {
        count(product, -taken);
        continue;
      }
      std::int64_t left = 0;
      if (__builtin_mul_overflow(own->second, step.f, &left) ||
          __builtin_sub_overflow(left, taken, &left))
        return std::nullopt;
      if (left != 0)
        count(product, left);
      ++own;
    }
    for (; own != end; ++own)
      count(own->first, own->second);
    return degree <= mostFactors ? std::optional(cost + degree) : std::nullopt;
  }

  const Inequalities &known_;
  bool allNatural_ = true;
  std::vector<FactTerm> terms_; ///< of all facts, in order
  bool proved_ = false;
  unsigned looked_ = 1;                ///< number of goals that were looked at
  std::set<Polynomial, ByTerms> seen_; ///< steps point to its elements, which do not move
  std::vector<Step> steps_;
  std::priority_queue<Open> open_;
};

bool Inequalities::proves(const Polynomial &p, unsigned effort) const {
  constexpr unsigned few = 12; // goals: most proofs that exist are found with these
  if (hasKnownExamples() && hasExampleBelowZero(p))
    return false;
  Search search(*this, p);
  std::optional<bool> proved = search.proves(std::min(few, effort));
  if (!proved && hasExampleBelowZero(p))
    return false;
  if (!proved && effort > few && !walksBelowZero(p, Extremes::OneOfTwo) &&
      !walksBelowZero(p, Extremes::AsFactsSay))
    proved = search.proves(effort);
  return proved.value_or(false);
}

} // namespace tangram::algebra
