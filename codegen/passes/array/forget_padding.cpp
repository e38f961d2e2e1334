// Lowering of padded arrays: an element of an array that is continued past its ends becomes a choice of elements that
// there are, by the edges of the array (codegen/form/edges.h).
//
//   before: in_padded[i + 2]                        (two more in front, clamped)
//   after:  in[min(max(i + 2, 2) - 2, n - 1)]
//
// Copies of windows of such arrays are expanded first: what is past the ends is decided while copying.
#include "algebra/simplify.h"
#include "codegen/analysis/copies.h"
#include "codegen/analysis/windows.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {

using namespace ir;

LoweredPlan forgetPadding(LoweredPlan plan) {
  if (plan.padded.empty())
    return plan;
  const auto isPadded = [&](const Window &each) { return plan.padded.contains(each.array); };
  plan.body = withoutWindows(withoutCopies(plan, plan.body, isPadded), isPadded);
  plan.body = mapExprs(plan.body, [&](const ExprPtr &e) {
    const ExprPtr bare = withoutPadding(e, plan.padded);
    return bare == e ? e : algebra::simplify(bare, {.proofs = plan.proofs});
  });
  plan.padded.clear();
  return plan;
}

} // namespace tangram::codegen
