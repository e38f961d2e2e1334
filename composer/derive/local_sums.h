// Scalar replacement of sums that are kept in elements of a container.
//
//   for (i) for (j) { c[i][j] *= beta; for (k) c[i][j] += a[i][k] * b[k][j]; c[i][j] /= n; }
//       ->      for (i) for (j) { sum = c[i][j] * beta; for (k) sum += a[i][k] * b[k][j]; c[i][j] = sum / n; }
//
// From sums in locals the other codelets follow (updates.h), whichever way the sum was written: an element that a loop updates
// by an associative operator, whose subscripts do not name the loop, and of whose container the loop touches no other element
// that may be the same. Before, loops of such a sum go inside (sum_loops_inside.h); afterwards the sum starts from what was stored in
// front of its loop, also by loops of their own (sum_starts.h). Terms keep their order.
#pragma once

#include "ir/program.h"

namespace tangram::composer {

/// The body of the codelet with such sums in locals; null where there is none.
ir::StmtPtr withLocalSums(const ir::Codelet &codelet);

} // namespace tangram::composer
