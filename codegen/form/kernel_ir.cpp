#include "codegen/form/kernel_ir.h"

#include "codegen/form/index_function.h"
#include "ir/unique_name.h"

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

std::string LoweredPlan::unusedTunableName(const std::string &base) const {
  return ir::uniqueName(base, [&](const std::string &name) {
    return std::ranges::any_of(tunables, [&](const Tunable &t) { return t.var->name == name; });
  });
}

bool hasLoopWithBarrier(const ir::StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const ir::Stmt &loop) {
    if (!found && isLoop(loop)) {
      for (const ir::StmtPtr &child : loop.children)
        forEach(child, [&](const ir::Stmt &each) { found |= each.kind == ir::StmtKind::Barrier; });
    }
  });
  return found;
}

bool isLook(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Atomic && e.op == "add" && ir::isLiteral(e.args[1], 0);
}

bool handsOver(const ir::StmtPtr &s) {
  bool found = false;
  ir::forEachExpr(s, [&](const ir::Expr &e) {
    found |= e.kind == ir::ExprKind::Atomic && (e.op == "await" || e.op == "publish" || isLook(e));
  });
  return found;
}

bool hasLastGroup(const LoweredPlan &plan, const ir::StmtPtr &s) {
  bool found = false;
  ir::forEachExpr(s, [&](const ir::Expr &e) {
    if (e.kind != ir::ExprKind::Atomic || e.args[0]->kind != ir::ExprKind::Index)
      return;
    const Buffer *buffer = plan.bufferOf(e.args[0]->args[0]->var);
    found |= buffer && buffer->countsGroups;
  });
  return found;
}

bool isTunable(const LoweredPlan &plan, const ir::ExprPtr &e) {
  return e && e->kind == ir::ExprKind::Var && plan.tunableOf(e->var) != nullptr;
}

bool isCompileTime(const LoweredPlan &plan, const ir::ExprPtr &e) {
  return !contains(e, [&](const ir::Expr &each) {
    const Tunable *t = each.kind == ir::ExprKind::Var ? plan.tunableOf(each.var) : nullptr;
    return each.kind == ir::ExprKind::Index ||
           (each.kind == ir::ExprKind::Var && (!t || t->kind != Tunable::Kind::Compile));
  });
}

bool isWorkerCount(const LoweredPlan &plan, int level, const ir::ExprPtr &count) {
  if (plan.role(level) == Role::Group)
    return isTunable(plan, count);
  auto all = plan.workers.find(level);
  return all != plan.workers.end() && sameExpr(count, all->second);
}

bool hasWorkers(const LoweredPlan &plan, const ir::StmtPtr &s, Role role) {
  return s && ((s->kind == ir::StmtKind::Parallel && plan.role(s->level) == role) ||
               std::ranges::any_of(s->children, [&](const ir::StmtPtr &child) {
                 return hasWorkers(plan, child, role);
               }));
}

} // namespace tangram::codegen
