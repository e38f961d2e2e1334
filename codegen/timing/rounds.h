// How many rounds a loop takes, and which conditions hold in most of them, from samples of what is compared.
//
// A counter that goes by equal steps needs two of them: the rest is a division. One that doubles, say, is followed round by
// round.
#pragma once

#include "codegen/timing/walk_state.h"

#include <functional>

namespace tangram::codegen {

class Rounds {
public:
  static constexpr double guessed = 8; ///< of a loop of which nothing is known

  /// `state`: as it is when something is asked; it outlives this.
  explicit Rounds(const WalkState &state) : state_(state) {}

  /// The mean number of rounds of the workers that enter the loop, until its condition does not hold. `advance` changes the
  /// values of variables as one round does.
  double of(const ir::Stmt &loop, const std::function<void()> &advance) const;

  /// The share of rounds, from 0 to 1, in which a condition holds. A comparison of integers that holds in the middle round counts as
  /// 1, because only rounds at an edge differ. Other conditions count as in the second round if the first two differ.
  Samples shareOf(const ir::ExprPtr &condition) const;

  /// Whether a condition that does not hold in the first round of a loop around holds in the next one.
  bool holdLater(const Samples &condition) const;

  /// Whether a number goes by divisions, choices and the like from round to round of a loop around, so that two rounds do
  /// not tell how it goes on.
  bool isJagged(const ir::ExprPtr &e) const;

private:
  /// How far the two numbers that are compared are apart, from where the comparison holds no more.
  Samples gapOf(const ir::Expr &comparison) const;
  /// Rounds of a loop with several conditions, of which the first that does not hold ends it.
  double ofAll(const ir::ExprPtr &conditions, const std::function<void()> &advance) const;
  /// `steady`: what is compared grows by equal steps from round to round of the loops around.
  double mean(const Samples &entered, const Samples &first, const Samples &second,
              bool steady) const;
  bool isJaggedAlong(const ir::ExprPtr &e, const Around &loop) const;
  Samples awayFromEdges(Samples share) const;
  /// shareOf a comparison, whose operands grow by equal steps along the loops along which they are not jagged.
  Samples shareOfSteps(const ir::Expr &comparison) const;
  /// Whether a number is the rest of a division of one that changes with loops around: rounds take turns.
  bool takesTurns(const ir::ExprPtr &e) const;

  const WalkState &state_;
};

} // namespace tangram::codegen
