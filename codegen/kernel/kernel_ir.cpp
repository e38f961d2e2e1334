#include "codegen/kernel/kernel_ir.h"

#include "codegen/kernel/index_function.h"

#include <algorithm>

namespace tangram::codegen {

ir::ExprPtr LoweredPlan::positionIn(const ir::Expr &element) const {
  std::vector<ir::ExprPtr> subscripts(element.args.begin() + 1, element.args.end());
  auto known = strides.find(element.args[0]->var.get());
  return known == strides.end() ? subscripts.front() : flattened(subscripts, known->second);
}

const Buffer *LoweredPlan::bufferOf(const ir::VarPtr &var) const {
  auto found =
      std::find_if(buffers.begin(), buffers.end(), [&](const Buffer &b) { return b.var == var; });
  return found == buffers.end() ? nullptr : &*found;
}

const Tunable *LoweredPlan::tunableOf(const ir::VarPtr &var) const {
  auto found = std::find_if(tunables.begin(), tunables.end(),
                            [&](const Tunable &t) { return t.var == var; });
  return found == tunables.end() ? nullptr : &*found;
}

bool handsOver(const ir::StmtPtr &s) {
  bool found = false;
  ir::forEachExpr(s, [&](const ir::Expr &e) {
    found |= e.kind == ir::ExprKind::Atomic && (e.op == "await" || e.op == "publish");
  });
  return found;
}

bool isTunable(const LoweredPlan &plan, const ir::ExprPtr &e) {
  return e && e->kind == ir::ExprKind::Var && plan.tunableOf(e->var) != nullptr;
}

bool takesAllWorkers(const LoweredPlan &plan, const ir::Stmt &s) {
  auto all = plan.workers.find(s.level);
  return s.kind == ir::StmtKind::Parallel && s.var && all != plan.workers.end() &&
         sameExpr(s.value, all->second);
}

bool hasWorkers(const LoweredPlan &plan, const ir::StmtPtr &s, Role role) {
  bool found = false;
  forEach(s, [&](const ir::Stmt &each) {
    found |= each.kind == ir::StmtKind::Parallel && plan.role(each.level) == role;
  });
  return found;
}

} // namespace tangram::codegen
