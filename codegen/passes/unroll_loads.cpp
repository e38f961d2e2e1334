#include "codegen/passes/passes.h"

#include <algorithm>
#include <memory>

namespace tangram::codegen {

using namespace ir;

namespace {

bool loadsGlobal(const LoweredPlan &plan, const StmtPtr &s) {
  bool loads = false;
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind != ExprKind::Index || e.args[0]->kind != ExprKind::Var)
      return;
    const Buffer *buffer = plan.bufferOf(e.args[0]->var);
    loads |= buffer && buffer->space == Space::Global;
  });
  return loads;
}

bool isInnermost(const StmtPtr &s) {
  bool inner = true;
  for (const StmtPtr &child : s->children) {
    forEach(child, [&](const Stmt &each) {
      inner &= each.kind != StmtKind::For && each.kind != StmtKind::While &&
               each.kind != StmtKind::DoWhile && each.kind != StmtKind::Break &&
               each.kind != StmtKind::Continue;
    });
  }
  return inner;
}

} // namespace

LoweredPlan unrollLoads(LoweredPlan plan) {
  const unsigned loads = plan.machine->code.loadsInFlight;
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::For || s->unroll != 0 || !isInnermost(s) ||
        !loadsGlobal(plan, s->children[2]))
      return s;
    auto copy = std::make_shared<Stmt>(*s);
    copy->unroll = loads;
    forEach(s->children[2], [&](const Stmt &each) {
      if (each.kind == StmtKind::Parallel)
        copy->unroll = std::max(loads / 4, 1U);
    });
    return copy;
  });
  return plan;
}

} // namespace tangram::codegen
