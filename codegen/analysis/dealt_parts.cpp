#include "codegen/analysis/dealt_parts.h"

namespace tangram::codegen {

using namespace ir;

const Tunable *dealtParts(const LoweredPlan &plan, const Stmt &s) {
  const Tunable *parts =
      s.value && s.value->kind == ExprKind::Var ? plan.tunableOf(s.value->var) : nullptr;
  if (!parts || parts->kind != Tunable::Kind::Launch)
    return nullptr;
  unsigned loops = 0;
  forEach(plan.body, [&](const Stmt &each) {
    const bool isLoop = each.kind == StmtKind::Parallel && each.span != Span::One;
    loops += isLoop && plan.role(each.level) == Role::Group ? 1 : 0;
  });
  return loops == 1 ? parts : nullptr;
}

} // namespace tangram::codegen
