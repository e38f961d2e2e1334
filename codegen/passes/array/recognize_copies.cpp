// Recognition of copies that codelets make: where items of a group in turns set elements of local memory to values made of
// elements of global memory, the statement is said to be a copy (ir/stmt.h). Copies that passes make are Copy
// statements, and expand to code that says so itself (codegen/analysis/copies.h). No other pass recognizes a copy.
//
//   before: parallel e < n { tile[e] = a[first + e]; }
//   after:  the same, marked
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {

using namespace ir;

namespace {

/// Whether items in turns do nothing but set elements of local memory, and read global memory.
bool isCopy(const LoweredPlan &plan, const Stmt &s) {
  if (s.kind != StmtKind::Parallel || s.span != Span::Turns || plan.role(s.level) != Role::Item ||
      !isOfInnermostLoop(s.children[0]) || hasAtomic(s.children[0]))
    return false;
  const auto isIn = [&](const Expr &e, Space space) {
    const Buffer *buffer = arrayOf(e) ? plan.bufferOf(e.args[0]->var) : nullptr;
    return buffer && buffer->space == space;
  };
  bool sets = false, others = false, reads = false;
  forEach(s.children[0], [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign)
      (each.op == "=" && isIn(*each.target, Space::Local) ? sets : others) = true;
  });
  forEachExpr(s.children[0], [&](const Expr &e) { reads |= isIn(e, Space::Global); });
  return sets && reads && !others;
}

} // namespace

LoweredPlan recognizeCopies(LoweredPlan plan) {
  plan.body = rewrite(
      plan.body, [&](const StmtPtr &s) { return s->copies || !isCopy(plan, *s) ? s : copying(s); });
  return plan;
}

} // namespace tangram::codegen
