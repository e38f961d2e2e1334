// before: if (c) { A; barrier; B } else { C }
// after:  if (c) { A; barrier; B }
//         if (!c) { C }
//
// Where a group decides together. PoCL 3.1 does not end where there is a barrier in one of two branches;
// where there are some in both, those branches have to stay together.
#include "codegen/form/building.h"
#include "codegen/targets/opencl/pocl/passes.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Whether `condition` may be something else behind `s`.
bool mayChange(const ExprPtr &condition, const StmtPtr &s) {
  return contains(condition, [&](const Expr &e) {
    return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic ||
           (e.kind == ExprKind::Var && assigns(s, e.var.get()));
  });
}

} // namespace

LoweredPlan separateBranches(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [](const StmtPtr &s) {
    const bool apart = s->kind == StmtKind::If && s->children.size() > 1 && s->children[1] &&
                       hasBarrier(s->children[0]) != hasBarrier(s->children[1]);
    if (!apart)
      return s;
    std::vector<StmtPtr> made;
    ExprPtr condition = s->value;
    if (mayChange(condition, s->children[0])) {
      const VarPtr holds = newVariable("holds", Scalar::Bool);
      made.push_back(declare(holds, condition, s->location));
      condition = varRef(holds);
    }
    made.push_back(ifThen(condition, s->children[0], nullptr, s->location));
    made.push_back(ifThen(negated(condition), s->children[1], nullptr, s->location));
    return block(std::move(made));
  });
  return plan;
}

} // namespace tangram::codegen
