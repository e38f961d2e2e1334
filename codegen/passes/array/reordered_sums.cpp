// Strip-mining of sums in another order: of a sum over several loops, one that is not the innermost is cut into steps.
//
//   before: parallel w { c = 0; for (k < n) for (p < m) c += a[k][p] * b[k][p]; }
//   after:  parallel w { c = 0; }
//           for (part) parallel w { for (k < STEP) c += a[STEP * (part / m) + k][part % m] * b[...][part % m]; }
//
// strip_mined_sums.cpp tells how. Each element goes through its terms in another order than the codelet's, which changes
// how floating-point numbers are rounded: --keep-order leaves this pass out, and not the other one.
#include "codegen/passes/array/passes.h"
#include "codegen/passes/array/strip_mined_sums.h"

#include <utility>

namespace tangram::codegen {

LoweredPlan reorderSums(LoweredPlan plan) { return sumsInSteps(std::move(plan), true); }

} // namespace tangram::codegen
