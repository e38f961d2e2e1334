// Values of the unknowns for which all facts hold, and what they say of goals: one that is below 0 for some of
// them follows from no facts, and a proof need not be looked for.
//
// They are found by walks: of what does not hold one fact or the goal is taken, one of its terms, and of that an
// unknown; where others decide this one (a quotient, a minimum), one of those. It is changed so that the term gets
// better, and the change is kept where no more is broken than before (Selman, Kautz and Cohen, Noise strategies for
// improving local search, AAAI 1994).
#include "algebra/inequalities.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <utility>

namespace tangram::algebra {

namespace {

constexpr std::int64_t largest = 255; // so that products are exact
constexpr std::size_t mostKept = 32;  // examples

} // namespace

void Inequalities::complete(const Quotient &quotient, Values &values) {
  const double divisor = quotient.divisor.at(values);
  if (divisor >= 1)
    values[quotient.atom] =
        static_cast<std::int64_t>(std::max(0.0, quotient.dividend.at(values)) / divisor);
}

void Inequalities::complete(const Choice &choice, Values &values) {
  values[choice.atom] = static_cast<std::int64_t>(
      (choice.ifFirst.at(values) >= 0 ? choice.first : choice.second).at(values));
}

/// Values on their way to ones for which all facts hold, and a goal is below 0.
class Inequalities::Walk {
public:
  /// `below`: what is to be below 0; null: nothing is.
  Walk(const Inequalities &known, const Polynomial *below, Extremes extremes = Extremes::OneOfTwo)
      : known_(known), makers_(known.unknowns_.size()) {
    if (below)
      goal_ = -*below - 1;
    for (const Quotient &each : known.quotients_)
      makers_[each.atom] = {&each, nullptr, bitsOf(each.dividend) | bitsOf(each.divisor)};
    for (const Choice &each : known.choices_) {
      if (extremes == Extremes::OneOfTwo)
        makers_[each.atom] = {nullptr, &each,
                              bitsOf(each.first) | bitsOf(each.second) | bitsOf(each.ifFirst)};
    }
    parts_.reserve(known.facts_.size() + 1);
    if (!goal_.terms().empty())
      parts_.push_back({&goal_, bitsOf(goal_)});
    for (const Polynomial &fact : known.facts_)
      parts_.push_back({&fact, bitsOf(fact)});
  }

  /// All unknowns have this value.
  Values all(std::int64_t value) const { return Values(makers_.size(), value); }
  /// Random ones below `end`.
  Values drawn(std::uint32_t end) {
    Values values(makers_.size());
    for (std::int64_t &value : values)
      value = draw(end);
    return values;
  }

  /// Whether it arrives in so many steps.
  bool arrives(Values &values, unsigned steps) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    complete(values, all);
    std::vector<double> sums(parts_.size());
    std::size_t count = broken(values, all, sums);
    Values next;
    std::vector<double> nextSums;
    std::vector<const Polynomial *> before;
    for (unsigned step = 0; step < steps && count > 0; ++step) {
      const auto [atom, up] = change(values);
      if (atom >= values.size())
        continue;
      const std::int64_t value = changed(values[atom], up);
      if (value == values[atom])
        continue;
      next = values;
      next[atom] = value;
      nextSums = sums;
      before.swap(broken_);
      const std::size_t now = broken(next, complete(next, bitOf(atom)), nextSums);
      if (now <= count) {
        values.swap(next);
        sums.swap(nextSums);
        count = now;
      } else {
        broken_.swap(before);
      }
    }
    return count == 0;
  }

private:
  struct Maker {
    const Quotient *quotient = nullptr;
    const Choice *choice = nullptr;
    std::uint64_t madeOf = 0; ///< bits of unknowns
  };
  struct Part {
    const Polynomial *sum;
    std::uint64_t madeOf;
  };
  struct Change {
    Atom atom = UINT32_MAX;
    bool up = false;
  };

  /// Several unknowns may have the same.
  static std::uint64_t bitOf(Atom atom) { return std::uint64_t{1} << (atom % 64); }
  static std::uint64_t bitsOf(const Polynomial &p) {
    std::uint64_t bits = 0;
    for (const auto &[monomial, coefficient] : p.terms()) {
      for (Atom atom : monomial)
        bits |= bitOf(atom);
    }
    return bits;
  }

  std::uint32_t draw(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

  /// What the unknowns that changed decide, and all that changed then. Unknowns are made of those before them.
  std::uint64_t complete(Values &values, std::uint64_t changed) const {
    for (Atom atom = 0; atom < makers_.size(); ++atom) {
      const Maker &each = makers_[atom];
      const bool isDecided = (each.quotient || each.choice) && changed == ~std::uint64_t{0};
      if ((each.madeOf & changed) == 0 && !isDecided)
        continue;
      const std::int64_t before = values[atom];
      if (each.quotient)
        Inequalities::complete(*each.quotient, values);
      else
        Inequalities::complete(*each.choice, values);
      if (values[atom] != before)
        changed |= bitOf(atom);
    }
    return changed;
  }

  /// How much does not hold for these values, of which some changed: all of it in broken_.
  std::size_t broken(const Values &values, std::uint64_t changed, std::vector<double> &sums) {
    broken_.clear();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if ((parts_[i].madeOf & changed) != 0 || changed == ~std::uint64_t{0})
        sums[i] = parts_[i].sum->at(values);
      if (sums[i] < 0)
        broken_.push_back(parts_[i].sum);
    }
    std::size_t count = broken_.size();
    for (std::size_t atom = 0; atom < values.size(); ++atom) {
      if (values[atom] < 0 && known_.unknowns_[atom].natural) {
        ++count;
        below_ = Change{static_cast<Atom>(atom), true};
      }
    }
    return count;
  }

  Change change(const Values &values) {
    if (broken_.empty())
      return free(below_, values);
    return free(termOf(*broken_[draw(static_cast<std::uint32_t>(broken_.size()))], true), values);
  }

  /// Of a sum that has to grow, or not: an unknown in it.
  Change termOf(const Polynomial &p, bool up) {
    const std::size_t constants = p.terms().front().first.empty() ? 1 : 0;
    const std::size_t count = p.terms().size() - constants;
    if (count == 0)
      return {};
    const auto &[factors, coefficient] =
        p.terms()[constants + draw(static_cast<std::uint32_t>(count))];
    return {factors[draw(static_cast<std::uint32_t>(factors.size()))], up == (coefficient > 0)};
  }

  /// What decides an unknown, if anything does, in the place of it.
  Change free(Change each, const Values &values) {
    while (each.atom < makers_.size()) {
      const Maker &maker = makers_[each.atom];
      if (maker.quotient) {
        const bool divides = draw(3) == 0;
        const Polynomial &part = divides ? maker.quotient->divisor : maker.quotient->dividend;
        each = part.terms().empty() ? Change{} : termOf(part, each.up != divides);
      } else if (maker.choice) {
        const bool first = maker.choice->ifFirst.at(values) >= 0;
        const Polynomial &part = first ? maker.choice->first : maker.choice->second;
        each = part.terms().empty() ? Change{} : termOf(part, each.up);
      } else {
        return each;
      }
    }
    return {};
  }

  std::int64_t changed(std::int64_t value, bool up) {
    const std::uint32_t by = draw(3);
    if (up)
      value = by == 0 ? value + 1 : by == 1 ? value * 2 + 1 : value + draw(16);
    else
      value = by == 0 ? value - 1 : by == 1 ? value / 2 : 0;
    return std::clamp<std::int64_t>(value, 0, largest);
  }

  const Inequalities &known_;
  Polynomial goal_; ///< not below 0; without terms: none
  std::vector<Maker> makers_;
  std::vector<Part> parts_; ///< the goal and the facts
  std::vector<const Polynomial *> broken_;
  Change below_;            ///< an unknown that may not be below 0, and is
  std::minstd_rand random_; ///< the same numbers every time
};

/// From what fewer of the facts allow, from ones, from zeros, from random values.
void Inequalities::findExamples() const {
  constexpr unsigned starts = 12;
  constexpr unsigned steps = 64;
  constexpr std::size_t enough = 6;
  constexpr unsigned hopeless = 4; // starts, of which none arrived
  if ((examples_ = proofs_->examples(known_))) {
    if (std::ranges::any_of(*examples_,
                            [&](const Values &v) { return v.size() != unknowns_.size(); })) {
      for (Values &values : ownExamples())
        values.resize(unknowns_.size());
    }
    return;
  }
  Walk walk(*this, nullptr);
  const std::vector<Values> former = examplesOfFewer();
  std::vector<Values> found;
  std::ranges::copy_if(former, std::back_inserter(found),
                       [&](const Values &v) { return allows(v); });
  const std::size_t wanted = found.empty() ? enough : 0;
  for (unsigned start = 0; start < starts && found.size() < wanted; ++start) {
    if (start == hopeless && found.empty())
      break;
    Values values = start == 0 && !former.empty() ? former.front()
                    : start < 3                   ? walk.all(start == 1   ? 1
                                                             : start == 2 ? 0
                                                                          : 3)
                                                  : walk.drawn(start % 2 == 0 ? 4 : 20);
    if (walk.arrives(values, steps))
      found.push_back(std::move(values));
  }
  examples_ = std::make_shared<std::vector<Values>>(std::move(found));
  proofs_->keepExamples(known_, examples_);
}

/// Of as many of the facts as others knew before the rest, with some values of the other unknowns.
std::vector<Inequalities::Values> Inequalities::examplesOfFewer() const {
  std::shared_ptr<std::vector<Values>> known;
  for (Proofs::List list : listed()) {
    if (auto examples = proofs_->examples(list); examples && !examples->empty())
      known = std::move(examples);
  }
  std::vector<Values> found = known ? *known : std::vector<Values>{};
  std::int64_t value = 0; // several, so that nothing is taken for their being equal
  for (Values &values : found)
    values.resize(unknowns_.size(), value++ % 5);
  Walk walk(*this, nullptr);
  for (Values &values : found)
    walk.arrives(values, 0); // what others decide
  return found;
}

std::vector<Inequalities::Values> &Inequalities::ownExamples() const {
  if (examples_.use_count() > 1)
    examples_ = std::make_shared<std::vector<Values>>(*examples_);
  return *examples_;
}

bool Inequalities::allows(const Values &values) const {
  for (std::size_t atom = 0; atom < unknowns_.size(); ++atom) {
    if (unknowns_[atom].natural && values[atom] < 0)
      return false;
  }
  return std::all_of(facts_.begin(), facts_.end(),
                     [&](const Polynomial &fact) { return fact.at(values) >= 0; });
}

bool Inequalities::hasExample(const Choice &choice, bool first) const {
  if (!examples_)
    findExamples();
  return std::any_of(examples_->begin(), examples_->end(), [&](const auto &values) {
    const double decides = choice.ifFirst.at(values);
    const Polynomial &value = first ? choice.first : choice.second;
    return (first ? decides >= 0 : decides <= 0) && allows(values) &&
           value.at(values) == static_cast<double>(values[choice.atom]);
  });
}

bool Inequalities::hasKnownExamples() const { return examples_ || proofs_->examples(known_); }

bool Inequalities::hasExampleBelowZero(const Polynomial &p) const {
  if (!examples_)
    findExamples();
  return std::any_of(examples_->begin(), examples_->end(),
                     [&](const Values &values) { return p.at(values) < 0; });
}

/// From the example where p is least.
bool Inequalities::walksBelowZero(const Polynomial &p, Extremes extremes) const {
  constexpr unsigned steps = 48;
  if (p.overflowed())
    return false;
  if (!examples_)
    findExamples();
  if (examples_->empty())
    return false;
  Values values =
      *std::ranges::min_element(*examples_, {}, [&](const Values &v) { return p.at(v); });
  if (!Walk(*this, &p, extremes).arrives(values, steps))
    return false;
  std::vector<Values> &examples = ownExamples();
  if (examples.size() < mostKept)
    examples.push_back(std::move(values));
  else
    examples[mostKept / 2] = std::move(values);
  proofs_->keepExamples(known_, examples_);
  return true;
}

} // namespace tangram::algebra
