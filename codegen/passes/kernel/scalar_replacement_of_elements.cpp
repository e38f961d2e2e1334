// Scalar replacement of elements: an array of a group or a warp of which each item accesses its own element alone becomes a
// variable of the item, and atomic operations on it become plain ones.
//
//   before: r[w] = x; ... y = r[w]      after: r = x; ... y = r
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/atomics.h"
#include "codegen/passes/kernel/passes.h"

#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Buffers of groups and warps of which each item touches its own element alone.
std::set<const Var *> ownBuffers(const LoweredPlan &plan) {
  std::set<const Var *> shared;
  std::set<const Var *> own;
  for (const Access &access : accessesOf(plan, plan.body)) {
    const Buffer *buffer = nullptr;
    for (const Buffer &each : plan.buffers) {
      if (each.var.get() == access.buffer)
        buffer = &each;
    }
    bool candidate = buffer && buffer->space != Space::Global && access.by == Access::By::Own;
    (candidate ? own : shared).insert(access.buffer);
  }
  std::erase_if(own, [&](const Var *v) { return shared.contains(v); });
  return own;
}

/// `declaration` in front of the first of the group's statements that mentions it.
StmtPtr declareInGroup(const LoweredPlan &plan, const StmtPtr &s, const Var *buffer,
                       const StmtPtr &declaration) {
  return rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
    bool group = each->kind == StmtKind::Parallel && plan.role(each->level) == Role::Group;
    if (!group || !mentions(each, buffer))
      return each;
    std::vector<StmtPtr> body = each->children[0]->children;
    body.insert(body.begin(), declaration);
    return withChildren(each, {block(std::move(body))});
  });
}

} // namespace

LoweredPlan replaceByScalars(LoweredPlan plan) {
  std::map<const Var *, VarPtr> registers;
  for (const Var *buffer : ownBuffers(plan)) {
    auto own = std::make_shared<Var>();
    own->name = buffer->name;
    own->type = buffer->type;
    registers[buffer] = own;
    plan.body = declareInGroup(plan, plan.body, buffer, declare(own, nullptr));
  }
  // Nobody comes between the operations on what is one item's own.
  plan.body = withoutAtomics(plan.body, [&](const Expr &operation) {
    const ExprPtr &place = operation.args[0];
    return place->kind == ExprKind::Index && registers.contains(place->args[0]->var.get());
  });
  plan.body = mapExprs(plan.body, [&](const ExprPtr &e) {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind != ExprKind::Index || each->args[0]->kind != ExprKind::Var)
        return each;
      auto found = registers.find(each->args[0]->var.get());
      return found == registers.end() ? each : varRef(found->second);
    });
  });
  std::erase_if(plan.buffers, [&](const Buffer &b) { return registers.contains(b.var.get()); });
  return plan;
}

} // namespace tangram::codegen
