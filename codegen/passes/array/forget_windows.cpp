// Lowering of windows: a Window statement becomes its body. What codelets know of arrays has told passes what to move and
// where; accesses do not need it.
#include "codegen/analysis/windows.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {

LoweredPlan forgetWindows(LoweredPlan plan) {
  plan.body = withoutWindows(plan.body);
  return plan;
}

} // namespace tangram::codegen
