// Loop interchange for sums that are kept in elements of a container.
//
//   for (k) for (j) c[j] += a[k] * b[k][j];           ->      for (j) for (k) c[j] += a[k] * b[k][j];
//
// Loops that the element's subscripts do not name go inside of those that they name. No other order of loops changes: each
// element is updated in the order in which the codelet updates it. What stands between the loops are declarations, which
// go inside, too.
#pragma once

#include "algebra/nests.h"

namespace tangram::composer {

/// The body of the codelet with the loops of one such nest in this order; null where there is none.
ir::StmtPtr withSumLoopsInside(const ir::Codelet &codelet, const algebra::Nest &nest);

} // namespace tangram::composer
