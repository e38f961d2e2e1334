// A loop over all elements of a matrix, whose counter is taken apart into their row and column, becomes two loops.
//
//   for (i = 0; i < rows * columns; ++i) { r = i / columns; c = i % columns; y[r][c] = x[r][c]; }
//     ->  for (r = 0; r < rows; ++r) for (c = 0; c < columns; ++c) y[r][c] = x[r][c];
//
// A product of three extents becomes three loops. The loop stays if its counter is not taken apart into both; where the counter is
// used otherwise, too, it is computed from the row and the column.
#pragma once

#include "ir/program.h"

namespace tangram::composer {

ir::Codelet withNestedCounters(const ir::Codelet &codelet);

} // namespace tangram::composer
