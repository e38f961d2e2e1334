// Flattening of subscripts: an access gets one subscript, its position in memory, by the strides that place-arrays has
// given to the array.
//
//   before: a[i][j]      after: a[i * n + j]
#include "codegen/form/index_function.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {

using namespace ir;

LoweredPlan flattenIndexes(LoweredPlan plan) {
  auto flat = [&](const ExprPtr &e) -> ExprPtr {
    if (e->kind != ExprKind::Index || e->args[0]->kind != ExprKind::Var)
      return e;
    auto strides = plan.strides.find(e->args[0]->var.get());
    if (strides == plan.strides.end())
      return e;
    const std::vector<ExprPtr> subscripts(e->args.begin() + 1, e->args.end());
    return index(e->args[0], {flattened(subscripts, strides->second)}, e->location);
  };
  plan.body = mapExprs(plan.body, [&](const ExprPtr &e) { return rewrite(e, flat); });
  plan.strides.clear();
  return plan;
}

} // namespace tangram::codegen
