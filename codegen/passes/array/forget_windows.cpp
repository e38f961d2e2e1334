#include "algebra/simplify.h"
#include "codegen/analysis/windows.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

LoweredPlan forgetPadding(LoweredPlan plan) {
  if (plan.padded.empty())
    return plan;
  plan.body = withoutWindows(plan.body,
                             [&](const Window &each) { return plan.padded.contains(each.array); });
  plan.body = mapExprs(plan.body, [&](const ExprPtr &e) {
    const ExprPtr bare = withoutPadding(e, plan.padded);
    return bare == e ? e : simplify(bare, {.proofs = plan.proofs});
  });
  plan.padded.clear();
  return plan;
}

LoweredPlan forgetWindows(LoweredPlan plan) {
  plan.body = withoutWindows(plan.body);
  return plan;
}

} // namespace tangram::codegen
