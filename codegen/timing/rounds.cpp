#include "codegen/timing/rounds.h"

#include "codegen/form/building.h"
#include "codegen/timing/loops.h"

#include <algorithm>
#include <cmath>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr double mostSimulated = 64; ///< rounds of a loop that is no progression

/// Whether two steps of one loop are the same but for how numbers as large as `gap` are rounded: those of a number that
/// doubles are not, however far it has to go.
bool areAlike(double step, double nextStep, double gap) {
  return std::abs(step - nextStep) < std::max({1e-6, 1e-3 * std::abs(step), 1e-12 * std::abs(gap)});
}

/// Whether numbers that are compared, in three rounds, go by equal steps.
bool areProgressions(const std::vector<Samples> &first, const std::vector<Samples> &second,
                     const std::vector<Samples> &third) {
  for (std::size_t part = 0; part < first.size(); ++part) {
    const double from = first[part].at[Samples::base];
    const double next = second[part].at[Samples::base];
    if (!areAlike(from - next, next - third[part].at[Samples::base], from))
      return false;
  }
  return true;
}

/// Rounds, of which two are behind, until one of the gaps is on the other side.
double simulatedRounds(const std::vector<Samples> &first,
                       const std::function<std::vector<Samples>()> &gaps,
                       const std::function<void()> &advance) {
  double rounds = 2;
  const auto holds = [&](const Samples &before, const Samples &now) {
    return before.at[Samples::base] * now.at[Samples::base] > 0;
  };
  for (; rounds < mostSimulated && std::ranges::equal(first, gaps(), holds); ++rounds)
    advance();
  return rounds;
}

/// Whether `each` has a sample that is a round further along a loop, at the same item and group.
bool isLaterRound(const Around &each) {
  return each.kind == Walk::Kind::Loop && each.point >= Samples::steps;
}

/// How a number changes along the loops around.
struct Steps {
  double toMiddle = 0;
  double least = 0, most = 0; ///< of all rounds
  double step = 0, rounds = 1;
  unsigned loops = 0; ///< that change it; `step` and `rounds` are the last one's

  void goes(double perRound, double count) {
    if (perRound == 0)
      return;
    toMiddle += perRound * std::floor((count - 1) / 2);
    const double all = perRound * (count - 1);
    least += std::min(all, 0.0);
    most += std::max(all, 0.0);
    step = std::abs(perRound);
    rounds = count;
    ++loops;
  }

  /// The share of rounds in which a number that begins with `first` is above 0.
  double shareAboveZero(double first) const {
    if (first + toMiddle > 0)
      return 1;
    const double highest = first + most;
    if (highest <= 0)
      return 0;
    return loops == 1 ? std::min(1.0, std::ceil(highest / step) / rounds)
                      : highest / (most - least);
  }
};

/// A condition's value as a share: a fraction stays, any other number but 0 is 1.
double asShare(double value) { return value > 0 && value < 1 ? value : value != 0; }

/// The mean of `count` numbers that begin with `first` and grow by `step`, none of them below 0.
double meanOfProgression(double first, double step, double count) {
  const double before = step < 0 ? std::min(count, 1 - first / step) : count;
  return (first + step * (before - 1) / 2) * before / count;
}

} // namespace

Samples Rounds::gapOf(const Expr &comparison) const {
  const Samples from = state_.values(comparison.args[0]);
  Samples gap = state_.values(comparison.args[1]);
  const bool isWhole = isInteger(comparison.args[0]->type.scalar);
  const double past = !isWhole ? 0 : comparison.op == "<=" ? 1 : comparison.op == ">=" ? -1 : 0;
  for (std::size_t i = 0; i < Samples::most; ++i)
    gap.at[i] += past - from.at[i];
  return gap;
}

double Rounds::of(const Stmt &s, const std::function<void()> &advance) const {
  const ExprPtr &c = s.value;
  if (c->kind == ExprKind::Binary && c->op == "&&")
    return ofAll(c, advance);
  if (c->kind != ExprKind::Binary || !c->op.isComparison())
    return guessed;
  const Samples entered = state_.values(c);
  const bool steady = !isJagged(c->args[0]) && !isJagged(c->args[1]);
  const Samples first = gapOf(*c);
  advance();
  const Samples second = gapOf(*c);
  advance();
  const Samples third = gapOf(*c);
  const double step = first.at[Samples::base] - second.at[Samples::base];
  const double nextStep = second.at[Samples::base] - third.at[Samples::base];
  if (areAlike(step, nextStep, first.at[Samples::base]))
    return step == 0 ? guessed : mean(entered, first, second, steady);
  double rounds = 2;
  for (; rounds < mostSimulated && state_.spreadOf(state_.values(c)).most > 0; ++rounds)
    advance();
  return rounds;
}

double Rounds::ofAll(const ExprPtr &all, const std::function<void()> &advance) const {
  std::vector<ExprPtr> parts;
  const std::function<void(const ExprPtr &)> collect = [&](const ExprPtr &e) {
    if (e->kind == ExprKind::Binary && e->op == "&&")
      std::ranges::for_each(e->args, collect);
    else if (e->kind == ExprKind::Binary && e->op.isComparison())
      parts.push_back(e);
  };
  collect(all);
  const auto gaps = [&] {
    std::vector<Samples> found;
    for (const ExprPtr &part : parts)
      found.push_back(gapOf(*part));
    return found;
  };
  const Samples entered = state_.values(all);
  const std::vector<Samples> first = gaps();
  advance();
  const std::vector<Samples> second = gaps();
  advance();
  if (const std::vector<Samples> third = gaps(); !areProgressions(first, second, third))
    return simulatedRounds(first, gaps, advance);
  Samples rounds;
  for (std::size_t i = 0; i < Samples::most; ++i) {
    rounds.at[i] = entered.at[i] == 0 ? 0 : HUGE_VAL;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (first[part].at[i] != second[part].at[i])
        rounds.at[i] = std::min(rounds.at[i], roundsOf(first[part].at[i], second[part].at[i]));
    }
    if (rounds.at[i] == HUGE_VAL)
      rounds.at[i] = guessed;
  }
  return std::max(1.0, meanOf(rounds, state_.active, state_.itemDepth > 0, state_.inLaunch));
}

double Rounds::mean(const Samples &entered, const Samples &first, const Samples &second,
                    bool steady) const {
  Samples rounds;
  Samples exact;
  for (std::size_t i = 0; i < Samples::most; ++i) {
    const bool moves = first.at[i] != second.at[i];
    rounds.at[i] = entered.at[i] == 0 ? 0 : moves ? roundsOf(first.at[i], second.at[i]) : guessed;
    exact.at[i] = moves ? first.at[i] / (first.at[i] - second.at[i]) : 0;
  }
  double average = meanOf(rounds, state_.active, state_.itemDepth > 0, state_.inLaunch);
  for (const Around &each : state_.nest) {
    if (steady && isLaterRound(each))
      average = meanOfProgression(
          average, (exact.at[each.point] - exact.at[Samples::base]) / each.apart, each.count);
  }
  return std::max(1.0, average);
}

bool Rounds::isJagged(const ExprPtr &e) const {
  return std::ranges::any_of(state_.nest, [&](const Around &each) {
    return isLaterRound(each) && isJaggedAlong(e, each);
  });
}

bool Rounds::isJaggedAlong(const ExprPtr &e, const Around &loop) const {
  const bool isSum =
      e->kind == ExprKind::Literal || e->kind == ExprKind::Cast ||
      (e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-" || e->op == "*"));
  if (isSum)
    return std::ranges::any_of(e->args,
                               [&](const ExprPtr &arg) { return isJaggedAlong(arg, loop); });
  if (e->kind == ExprKind::Var && !state_.jagged.contains(e->var.get()))
    return false;
  const Samples number = state_.values(e);
  return number.at[loop.point] != number.at[Samples::base];
}

/// The samples of items are taken in the first group, and those of groups at the first item, where a condition of the data's
/// edge fails. This scales both to the item and the group where the condition holds most often.
Samples Rounds::awayFromEdges(Samples share) const {
  if (state_.itemDepth == 0 || !state_.inLaunch)
    return share;
  const auto isOfGroups = [](std::size_t sample) {
    return sample >= Samples::groups && sample < Samples::groups + Samples::groupsTried;
  };
  double ofItems = 0;
  double ofGroups = 0;
  for (std::size_t i = 0; i < Samples::steps; ++i) {
    double &most = isOfGroups(i) ? ofGroups : ofItems;
    most = std::max(most, share.at[i]);
  }
  if (ofGroups <= 0) // holds in the first group alone
    return share;
  const double most = std::max(ofItems, ofGroups);
  for (std::size_t i = 0; i < Samples::most; ++i) {
    const double here = isOfGroups(i) ? ofGroups : ofItems;
    share.at[i] = here > 0 ? share.at[i] * most / here : most;
  }
  return share;
}

Samples Rounds::shareOf(const ExprPtr &e) const {
  const bool isBoth = e->kind == ExprKind::Binary && (e->op == "&&" || e->op == "||");
  if (isBoth) {
    const Samples a = awayFromEdges(shareOf(e->args[0]));
    Samples both = awayFromEdges(shareOf(e->args[1]));
    for (std::size_t i = 0; i < Samples::most; ++i) {
      const double one = asShare(a.at[i]);
      const double other = asShare(both.at[i]);
      both.at[i] = e->op == "&&" ? one * other : std::max(one, other);
    }
    return both;
  }
  if (e->kind == ExprKind::Unary && e->op == "!")
    return shareOf(e->args[0]).opposite();
  const bool isOrder = e->kind == ExprKind::Binary &&
                       (e->op == "<" || e->op == "<=" || e->op == ">" || e->op == ">=");
  if (isOrder && isInteger(e->args[0]->type.scalar) && !state_.isOfData(e))
    return shareOfSteps(*e);
  if (e->kind == ExprKind::Binary && e->op == "==" && takesTurns(e->args[0]))
    return Samples::all(1);
  const Samples holds = state_.values(e);
  for (const Around &each : state_.nest) {
    const bool hasMost = isLaterRound(each) && each.count > 2;
    if (hasMost && (holds.at[each.point] != 0) != (holds.at[Samples::base] != 0))
      return Samples::all(holds.at[each.point]);
  }
  return holds;
}

Samples Rounds::shareOfSteps(const Expr &comparison) const {
  Samples gap = gapOf(comparison);
  if (comparison.op == ">" || comparison.op == ">=")
    for (double &each : gap.at)
      each = -each;
  Steps steps;
  for (const Around &each : state_.nest) {
    if (!isLaterRound(each) || isJaggedAlong(comparison.args[0], each) ||
        isJaggedAlong(comparison.args[1], each))
      continue;
    steps.goes((gap.at[each.point] - gap.at[Samples::base]) / each.apart, each.count);
    gap.at[each.point] = gap.at[Samples::base]; // the share counts all rounds of this loop
  }
  for (double &each : gap.at)
    each = steps.shareAboveZero(each);
  return gap;
}

bool Rounds::takesTurns(const ExprPtr &e) const {
  if (e->kind == ExprKind::Cast)
    return takesTurns(e->args[0]);
  if (e->kind != ExprKind::Binary || e->op != "%")
    return false;
  const Samples number = state_.values(e->args[0]);
  return std::ranges::any_of(state_.nest, [&](const Around &each) {
    return isLaterRound(each) && number.at[each.point] != number.at[Samples::base];
  });
}

bool Rounds::holdLater(const Samples &condition) const {
  return std::ranges::any_of(state_.nest, [&](const Around &each) {
    return isLaterRound(each) && condition.at[each.point] != 0;
  });
}

} // namespace tangram::codegen
