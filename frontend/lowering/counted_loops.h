// Loops that count: a loop that is written in another way becomes a `for` that declares, tests and advances its counter in its head.
// Predictions and derivations read counters there.
//
//   size_t k = n; for (;;) { bool holds = k > 0; k -= 1; if (!holds) break; x[k] = 0; }    (while (k-- > 0) x[k] = 0;)
//     ->  for (size_t k = n; k > 0; k -= 1) x[k - 1] = 0;
//   int i = 0; while (i < n) { x[i] = 0; i += 1; }
//     ->  for (int i = 0; i < n; i += 1) x[i] = 0;
//
// The counter is a local integer that only its declaration and its step change, and that nothing reads behind the loop.
#pragma once

#include "ir/stmt.h"

namespace tangram::frontend {

/// `body` with its loops in that form, where they have it.
ir::StmtPtr withCountedLoops(const ir::StmtPtr &body);

} // namespace tangram::frontend
