// A nest whose loops have uneven rounds, as one over the box around them.
//
//   for (i) for (j = 0; j <= i; ++j) { s = 0; for (k) s += a[i][k] * a[j][k]; c[i][j] = s; }
//       ->      for (i) for (j = 0; j < c.size(1); ++j) { s = 0; for (k) s += a[i][k] * a[j][k]; if (j <= i) c[i][j] = s; }
//
// Up to twice the work, but tiles of both loops reuse what sums read: done where rounds of the loops share what they read
// (isProduct), all that is read besides is known to be within its container, and nothing but what is stored depends on it.
#pragma once

#include "algebra/nests.h"

namespace tangram::composer {

/// The body of the codelet with such a loop over all of the dimension that it goes along; null where there is none.
ir::StmtPtr withBoundingBox(const ir::Codelet &codelet, const algebra::Nest &nest);

} // namespace tangram::composer
