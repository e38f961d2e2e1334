// Scalar replacement across rounds: scans whose sums are read from the element that the round before wrote.
//
//   y[0] = x[0]; for (i = 1; i < n; ++i) y[i] = y[i - 1] + x[i];
//       ->      sum = 0; for (i = 0; i < n; ++i) { sum = sum + x[i]; y[i] = sum; }
//
// Then it is a scan (scan.h). The store in front of the loop is what the loop would do in a round before its first one, from the
// neutral element. Another one is where the scan starts, and each round writes before it adds what the next one would:
//
//   y[0] = 0; for (i = 1; i < n; ++i) y[i] = y[i - 1] + x[i - 1];
//       ->      sum = 0; for (i = 0; i < n; ++i) { y[i] = sum; sum = sum + x[i]; }
#pragma once

#include "ir/program.h"

namespace tangram::composer {

/// The body of the codelet with such loops as scans of locals; null where there is none.
ir::StmtPtr withLocalScans(const ir::Codelet &codelet);

} // namespace tangram::composer
