// Lowering of windows: a Window statement becomes its body, and a Copy the loops that it is. What codelets know of arrays
// has told passes what to move and where; accesses do not need it.
#include "codegen/analysis/copies.h"
#include "codegen/analysis/windows.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {

LoweredPlan forgetWindows(LoweredPlan plan) {
  plan.body = withoutWindows(withoutCopies(plan, plan.body));
  return plan;
}

} // namespace tangram::codegen
