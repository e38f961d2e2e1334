// Loops over elements that each take long, one step after the other.
#pragma once

#include "codegen/form/building.h"
#include "codegen/form/kernel_ir.h"

#include <cstdint>
#include <optional>

namespace tangram::codegen {

/// The loop `s` is, by ones from 0 to a number that stays, where compilers make no vectors of the loops in its rounds and
/// rounds side by side are worth it: sums of floating point are carried from step to step, or arrays of the round's own
/// filled, and a round computes much more than it accesses elements that are not neighbours' of the next round.
std::optional<CountedLoop> loopOfLongElements(const LoweredPlan &plan, const ir::Stmt &s);

/// Elements from one round of `loop` to the next; none where that is no number.
std::optional<std::int64_t> strideAlong(const CountedLoop &loop, const ir::ExprPtr &position);
/// Whether that is the same element in all rounds, or the next one in the next.
bool isOfNeighbours(const CountedLoop &loop, const ir::ExprPtr &position);

/// The widest type that its elements and numbers are of, indexes aside.
ir::Scalar widestIn(const ir::StmtPtr &body);
/// The same of elements and numbers of floating point: whole numbers that conditions compare are no lanes' where no lane is
/// asked.
ir::Scalar widestElementIn(const ir::StmtPtr &body);

} // namespace tangram::codegen
