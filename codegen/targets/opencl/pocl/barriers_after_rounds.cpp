#include "codegen/form/building.h"
#include "codegen/targets/opencl/pocl/passes.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Whether a break in `s` is of the loop around it.
bool leaves(const StmtPtr &s) {
  if (!s || isLoop(*s))
    return false;
  return s->kind == StmtKind::Break || std::ranges::any_of(s->children, leaves);
}

bool endsInBarrier(const StmtPtr &s) {
  if (s->kind == StmtKind::Block)
    return !s->children.empty() && endsInBarrier(s->children.back());
  return s->kind == StmtKind::Barrier;
}

/// `s` with `meeting` before what ends a round in the middle.
StmtPtr beforeContinue(const StmtPtr &s, const StmtPtr &meeting) {
  if (!s || isLoop(*s))
    return s;
  if (s->kind == StmtKind::Continue)
    return block({meeting, s});
  std::vector<StmtPtr> children;
  for (const StmtPtr &child : s->children)
    children.push_back(beforeContinue(child, meeting));
  return withChildren(s, std::move(children));
}

} // namespace

LoweredPlan addBarriersAfterRounds(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [](const StmtPtr &s) {
    if (!isLoop(*s) || !leaves(s->children.back()) || !hasBarrier(s))
      return s;
    StmtPtr meeting;
    forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Barrier)
        meeting = barrier(each.level);
    });
    StmtPtr body = beforeContinue(s->children.back(), meeting);
    std::vector<StmtPtr> children = s->children;
    children.back() = endsInBarrier(body) ? body : block({body, meeting});
    return withChildren(s, std::move(children));
  });
  return plan;
}

} // namespace tangram::codegen
