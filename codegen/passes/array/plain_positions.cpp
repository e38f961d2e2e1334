// Normalization of positions: sums and products of 64 bits become those of index variables, which
// wrap around in the same way, so that passes find the counters of loops in them. An index that is
// converted to 64 bits and back, as the beginning of a part is that is handed from level to level,
// is the index.
//
//   before: a[(index)((ulong)i + from + (ulong)j)]       x = (float)((index)(ulong)i + j)
//   after:  a[i + (index)from + j]                       x = (float)(i + j)
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {

using namespace ir;

namespace {

/// Whether `e` is an index that is converted.
bool isOfIndex(const Expr &e) {
  return e.kind == ExprKind::Cast && e.args[0]->type.scalar == Scalar::Index;
}

/// A number of 64 bits without a sign as an index.
ExprPtr asIndex(const ExprPtr &e) {
  if (e->type.scalar == Scalar::Index)
    return e;
  if (isOfIndex(*e))
    return e->args[0];
  const bool wraps = e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-" || e->op == "*");
  return wraps ? binary(e->op, asIndex(e->args[0]), asIndex(e->args[1])) : cast(Scalar::Index, e);
}

} // namespace

LoweredPlan plainPositions(LoweredPlan plan) {
  plan.body = mapExprs(plan.body, [](const ExprPtr &own) {
    return rewrite(own, [](const ExprPtr &e) -> ExprPtr {
      const bool converts = e->kind == ExprKind::Cast && e->type.scalar == Scalar::Index &&
                            e->args[0]->type.scalar == Scalar::U64 &&
                            (e->args[0]->kind == ExprKind::Binary || isOfIndex(*e->args[0]));
      return converts ? asIndex(e->args[0]) : e;
    });
  });
  return plan;
}

} // namespace tangram::codegen
