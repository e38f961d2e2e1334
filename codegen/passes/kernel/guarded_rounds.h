// Guarded rounds: finds the rounds of a loop in which the conditions of loops inside it always hold, so that these rounds can
// stand apart from the others. A filter that asks at each of its places whether it is inside of a picture:
//
//   for (j < n) for (q < 11) if (4 * j + q - 2 >= 0 && 4 * j + q - 2 < width) s += x[4 * j + q - 2] * w[q];
//
// The first comparison holds from some round j on: for all q, if it does for the first one. The second one holds up to some
// round: for all q, if it does for the last one. Numbers are compared in 64 bits with a sign. Where a number of 32 bits, or one
// without a sign, might wrap around, another condition of this kind says that it does not.
#pragma once

#include "codegen/form/building.h"

#include <optional>
#include <vector>

namespace tangram::codegen {

struct GuardedRounds {
  std::vector<ir::ExprPtr> from; ///< hold from some round on, over the loop's counter
  std::vector<ir::ExprPtr> upTo; ///< hold up to some round
  ir::StmtPtr inside;            ///< a round in which all of these hold
  ir::ExprPtr fits;              ///< no number in them is cut off
};

/// Nothing where no such condition is in the loop's body.
std::optional<GuardedRounds> guardedRounds(const CountedLoop &loop);

} // namespace tangram::codegen
