#include "codegen/passes/passes.h"

#include <memory>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Whether a loop stands around a loop with barriers in the code of `groups`; their turns are one.
bool nestsLoopsAroundBarriers(const Stmt &groups) {
  const StmtPtr &body = groups.children[0];
  bool nests = groups.span == Span::Turns && hasLoopWithBarrier(body);
  forEach(body,
          [&](const Stmt &s) { nests |= isLoop(s) && hasLoopWithBarrier(s.children.back()); });
  return nests;
}

} // namespace

LoweredPlan leaveUnrolling(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &groups) {
    if (groups->kind != StmtKind::Parallel || plan.role(groups->level) != Role::Group ||
        !nestsLoopsAroundBarriers(*groups))
      return groups;
    return rewrite(groups, [](const StmtPtr &s) -> StmtPtr {
      if (s->unroll <= 1)
        return s;
      auto copy = std::make_shared<Stmt>(*s);
      copy->unroll = 0;
      return copy;
    });
  });
  return plan;
}

} // namespace tangram::codegen
