// Whether rounds of a loop touch different elements: told by the form of subscripts, or by the bounds of counters.
#include "algebra/nests.h"

#include <algorithm>
#include <utility>

namespace tangram::algebra {

namespace {

std::string textOf(const NestAccess &access) {
  return ir::asWritten(std::make_shared<ir::Expr>(*access.expr));
}

/// Whether different rounds of `loop` give different values of dimension `d` of both accesses: x times the same
/// constant, plus what is the same in both.
bool differs(const Nest &nest, const NestAccess &a, const NestAccess &b, std::size_t d, int loop,
             bool sameOuterRounds) {
  if (!a.place[d] || !b.place[d])
    return false;
  const Atom atom = nest.loops[static_cast<std::size_t>(loop)].atom;
  const Split first = splitBy(*a.place[d], atom);
  const Split second = splitBy(*b.place[d], atom);
  if (!first.linear || !second.linear || first.coefficient.isZero() ||
      !(first.coefficient == second.coefficient) || !first.coefficient.literal() ||
      !(first.rest == second.rest))
    return false;
  for (std::size_t other = 0; other < nest.loops.size(); ++other) {
    if (!first.rest.mentions(nest.loops[other].atom))
      continue;
    const bool same = sameOuterRounds && static_cast<int>(other) != loop &&
                      nest.isIn(loop, static_cast<int>(other));
    if (!same)
      return false;
  }
  return true;
}

/// Two accesses to a container in two rounds of the codelet, and what is known of their counters.
class TwoRounds {
public:
  TwoRounds(const Nest &nest, const NestAccess &a, const NestAccess &b, int loop,
            bool sameOuterRounds)
      : nest_(nest), loop_(loop), bothInLoop_(nest.isIn(b.loop, loop)), facts_(nest.sizes) {
    for (const int at : nest.loopsFrom(b.loop)) {
      const bool isShared = sameOuterRounds && at != loop && nest.isIn(loop, at);
      if (!isShared)
        others_.emplace_back(nest.loops[static_cast<std::size_t>(at)].atom, facts_.unknown());
    }
    nest.assumeBounds(nest.loopsFrom(a.loop), facts_);
    for (const int at : nest.loopsFrom(b.loop)) {
      const NestLoop &of = nest.loops[static_cast<std::size_t>(at)];
      if (!of.isCounted)
        continue;
      facts_.assume(other(Polynomial::of(of.atom) - of.first));
      facts_.assume(other(of.end - 1 - Polynomial::of(of.atom)));
    }
    for (std::size_t d = 0; d < a.place.size(); ++d) {
      if (a.place[d] && b.place[d])
        differences_.push_back(*a.place[d] - other(*b.place[d]));
    }
  }

  /// Whether the two name different elements, in whatever two rounds of the loop.
  bool differ() const {
    if (differences_.empty())
      return false;
    if (!bothInLoop_)
      return differ(facts_);
    const Polynomial counter = Polynomial::of(nest_.loops[static_cast<std::size_t>(loop_)].atom);
    return differIf(other(counter) - counter - 1) && differIf(counter - other(counter) - 1);
  }

  /// The same where the second round is by `least` or more before the first.
  bool differBefore(std::int64_t least) const {
    const Polynomial counter = Polynomial::of(nest_.loops[static_cast<std::size_t>(loop_)].atom);
    return !differences_.empty() && differIf(counter - other(counter) - least);
  }

private:
  /// The value of p in the second round.
  Polynomial other(Polynomial p) const {
    for (const auto &[from, to] : others_)
      p = p.with(from, Polynomial::of(to));
    return p;
  }

  bool differIf(const Polynomial &isNatural) const {
    Inequalities facts = facts_;
    facts.assume(isNatural);
    // The two places are that number of rows apart, and no row has fewer than 0 elements.
    const Atom counter = nest_.loops[static_cast<std::size_t>(loop_)].atom;
    for (const Polynomial &difference : differences_) {
      const Split split = splitBy(difference, counter);
      const Polynomial row = split.coefficient;
      if (split.linear && !row.literal() && facts_.isNonNegative(row))
        facts.assume(isNatural * row);
    }
    return differ(facts);
  }

  /// Some subscript differs; with the others being equal, where it needs that.
  bool differ(const Inequalities &facts) const {
    const auto isApart = [](const Inequalities &known, const Polynomial &difference) {
      return known.isPositive(difference) || known.isPositive(-difference);
    };
    for (const Polynomial &difference : differences_) {
      if (isApart(facts, difference))
        return true;
    }
    for (std::size_t d = 0; d < differences_.size() && differences_.size() > 1; ++d) {
      Inequalities equal = facts;
      for (std::size_t e = 0; e < differences_.size(); ++e) {
        if (e == d)
          continue;
        equal.assume(differences_[e]);
        equal.assume(-differences_[e]);
      }
      if (isApart(equal, differences_[d]))
        return true;
    }
    return false;
  }

  const Nest &nest_;
  int loop_;
  bool bothInLoop_;
  Inequalities facts_;
  std::vector<std::pair<Atom, Atom>> others_; ///< counters of the first round and of the second
  std::vector<Polynomial> differences_;       ///< of subscripts
};

/// Whether different rounds of the loop name different elements by these.
bool areApart(const Nest &nest, const NestAccess &a, const NestAccess &b, int loop,
              bool sameOuterRounds) {
  for (std::size_t d = 0; d < a.place.size(); ++d) {
    if (differs(nest, a, b, d, loop, sameOuterRounds))
      return true;
  }
  return TwoRounds(nest, a, b, loop, sameOuterRounds).differ();
}

/// The reason why stores keep their order where only data tell their places; empty of others.
std::string orderOf(const NestAccess &write) {
  const bool isStore = !write.reads && std::ranges::any_of(write.place, [](const auto &place) {
    return !place.has_value();
  });
  return isStore ? ", and of two that name one element the last one counts" : "";
}

} // namespace

std::optional<NestReason> whyNotApart(const Nest &nest, int loop, bool sameOuterRounds) {
  const NestLoop &asked = nest.loops[static_cast<std::size_t>(loop)];
  const std::string name = asked.counter->name;
  if (asked.leavesEarly)
    return NestReason{"loop " + name + " ends when something in it says so",
                      asked.statement->location};
  for (const NestChange &change : nest.changes) {
    if (nest.isIn(change.loop, loop) && !nest.isIn(change.declaredIn, loop))
      return NestReason{"the rounds of loop " + name + " change '" + change.variable->name +
                            "' one after the other",
                        change.statement->location};
  }
  for (const NestAccess &write : nest.accesses) {
    if (!write.writes)
      continue;
    if (!nest.isIn(write.loop, loop)) {
      if (sameOuterRounds)
        continue;
      return NestReason{"'" + textOf(write) + "' is written outside of loop " + name,
                        write.location()};
    }
    for (const NestAccess &other : nest.accesses) {
      if (other.array != write.array || (sameOuterRounds && !nest.isIn(other.loop, loop)))
        continue;
      if (!commute(write, other) && !areApart(nest, write, other, loop, sameOuterRounds))
        return NestReason{"the rounds of loop " + name + " write '" + textOf(write) +
                              "': not apart" +
                              (&other == &write ? orderOf(write) : " from '" + textOf(other) + "'"),
                          write.location()};
    }
  }
  return std::nullopt;
}

bool mayMeetBefore(const Nest &nest, const NestAccess &a, const NestAccess &b, int loop,
                   bool orSame) {
  return !TwoRounds(nest, a, b, loop, true).differBefore(orSame ? 0 : 1);
}

} // namespace tangram::algebra
