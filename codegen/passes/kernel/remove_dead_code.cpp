// Dead code elimination: unreachable code goes, and so do declarations and assignments of variables that nothing reads,
// branches, loops and pieces that are empty, and temporaries that no statement mentions, until nothing changes. Atomic
// operations stay, whether or not their results are read.
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/atomics.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "codegen/passes/kernel/unreachable_code.h"

#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

std::set<const Var *> readVariables(const StmtPtr &body) {
  std::set<const Var *> read;
  auto add = [&](const ExprPtr &e) {
    forEach(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var)
        read.insert(each.var.get());
    });
  };
  forEach(body, [&](const Stmt &s) {
    if (s.value)
      add(s.value);
    if (s.kind == StmtKind::Decl && s.var->extent)
      add(s.var->extent);
    // Assigning a plain variable does not read it; assigning an element reads its index.
    if (s.target && s.target->kind == ExprKind::Index)
      add(s.target);
  });
  return read;
}

bool isEmpty(const StmtPtr &s) {
  if (!s)
    return true;
  if (s->kind == StmtKind::Block) {
    for (const StmtPtr &child : s->children) {
      if (!isEmpty(child) && child->kind != StmtKind::Comment)
        return false;
    }
    return true;
  }
  return false;
}

} // namespace

LoweredPlan removeDeadCode(LoweredPlan plan) {
  plan.body = withoutUnreachableCode(plan.body, plan.proofs);
  for (bool changed = true; changed;) {
    changed = false;
    std::set<const Var *> read = readVariables(plan.body);
    plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
      bool dead = s->kind == StmtKind::Decl && !read.contains(s->var.get());
      dead |= s->kind == StmtKind::Assign && s->target->kind == ExprKind::Var &&
              !read.contains(s->target->var.get());
      dead |= s->kind == StmtKind::If && isEmpty(s->children[0]) &&
              (s->children.size() < 2 || isEmpty(s->children[1]));
      dead |= s->kind == StmtKind::Parallel && isEmpty(s->children[0]);
      if (const auto loop = s->kind == StmtKind::For ? countedLoop(*s) : std::nullopt)
        dead |= isEmpty(loop->body) && !atomicIn(loop->bound);
      changed |= dead;
      if (ExprPtr operation = dead ? atomicIn(s->value) : nullptr)
        return eval(operation, s->location); // what it does to memory stays
      return dead ? nullptr : s;
    });
  }
  std::erase_if(plan.buffers, [&](const Buffer &b) {
    return b.access.empty() && !mentions(plan.body, b.var.get());
  });
  return plan;
}

} // namespace tangram::codegen
