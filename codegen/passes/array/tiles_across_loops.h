// Register tiles that items hold in all rounds of a loop of their group: they are taken before the loop and left after it.
//
//   before: for (k < n) parallel (i < items) { tile = c; tile += ...; c = tile; }
//   after:  parallel (i < items) tile = c;
//           for (k < n) parallel (i < items) tile += ...;
//           parallel (i < items) c = tile;
#pragma once

#include "codegen/passes/array/unrolled_tiles.h"

namespace tangram::codegen {

/// `loop` with the tiles that are the same in all its rounds around it; null: there are none.
ir::StmtPtr keptAcross(const ir::StmtPtr &loop, const LoweredPlan &plan,
                       const UnrolledTiles &updates);

} // namespace tangram::codegen
