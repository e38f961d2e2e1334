// Rounds of a loop in which conditions of loops inside it hold all the time, apart from those where they may not: a filter that
// is asked at each of its places whether it is inside of a picture, say.
//
//   for (j < n) for (q < 11) if (4 * j + q - 2 >= 0 && 4 * j + q - 2 < width) s += x[4 * j + q - 2] * w[q];
//
// The first comparison holds from some round j on, for all q where it does for the first one; the second one up to some
// round, for all q where it does for the last one. A number of 32 bits, or one that is never below 0, is that of 64 bits with a
// sign where this is no smaller and no larger than the type's numbers: conditions of the same kind.
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
