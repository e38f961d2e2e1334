#include "codegen/analysis/atomics.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Whether `e` depends on the variable or container that `place` is of.
bool mentionsVariableOf(const ExprPtr &e, const ExprPtr &place) {
  const VarPtr &v = place->kind == ExprKind::Index ? place->args[0]->var : place->var;
  return contains(e, [&](const Expr &each) { return each.var == v; });
}

/// The statements that do to its element what the atomic operation `e` does, for one worker alone.
std::vector<StmtPtr> effect(const Expr &e, const SourceLocation &at) {
  const ExprPtr &place = e.args[0];
  if (e.op == "add")
    return {assign(place, "+=", e.args[1], at)};
  if (e.op == "exchange")
    return {assign(place, "=", e.args[1], at)};
  if (e.op == "cas")
    return {ifThen(binary("==", place, e.args[1]), block({assign(place, "=", e.args[2], at)}))};
  return {assign(place, "=",
                 call(e.op.text(), place->type, {place, cast(place->type.scalar, e.args[1])}), at)};
}

} // namespace

AtomicUse atomicUse(const Expr &e, const Buffer *buffer) {
  return {e.op, e.args[0]->type.scalar, buffer ? buffer->space : Space::Global,
          isLook(e) && isInteger(e.args[0]->type.scalar),
          buffer && buffer->countsGroups && e.op == "add"};
}

bool isFlag(const AtomicUse &use) { return use.op == "await" || use.op == "publish"; }
bool isCarry(const AtomicUse &use) { return use.op == "load" || use.op == "store"; }

std::set<AtomicUse> atomicUses(const LoweredPlan &plan, const StmtPtr &body) {
  std::set<AtomicUse> uses;
  forEachExpr(body, [&](const Expr &e) {
    if (e.kind != ExprKind::Atomic)
      return;
    uses.insert(atomicUse(e, plan.bufferOf(e.args[0]->args[0]->var)));
  });
  return uses;
}

std::set<const Var *> atomicallyStored(const LoweredPlan &plan) {
  std::set<const Var *> stored;
  std::set<const Var *> otherwise;
  forEachExpr(plan.body, [&](const Expr &e) {
    if (e.kind == ExprKind::Atomic && e.op != "load")
      (e.op == "store" ? stored : otherwise).insert(e.args[0]->args[0]->var.get());
  });
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
      otherwise.insert(s.target->args[0]->var.get());
  });
  std::erase_if(stored, [&](const Var *array) { return otherwise.contains(array); });
  return stored;
}

ExprPtr atomicIn(const ExprPtr &e) {
  if (!e || e->kind == ExprKind::Atomic)
    return e;
  return e->kind == ExprKind::Cast ? atomicIn(e->args[0]) : nullptr;
}

StmtPtr withoutAtomics(const StmtPtr &body, const std::function<bool(const Expr &)> &which) {
  auto isAtomic = [&](const StmtPtr &s) {
    ExprPtr operation =
        s && (s->kind == StmtKind::Eval || s->kind == StmtKind::Decl || s->kind == StmtKind::Assign)
            ? atomicIn(s->value)
            : nullptr;
    return operation && (!which || which(*operation));
  };
  auto plain = [&](const StmtPtr &s) {
    const ExprPtr operation = atomicIn(s->value);
    ExprPtr before = operation->args[0];
    std::vector<StmtPtr> steps;
    std::vector<StmtPtr> last;
    auto value = [&] {
      return rewrite(s->value, [&](const ExprPtr &e) { return e == operation ? before : e; });
    };
    // The assignment may overwrite a variable that the operation reads: its value is kept before.
    if (s->target && mentionsVariableOf(operation, s->target)) {
      auto kept = std::make_shared<Var>();
      kept->name = "before";
      kept->type = scalarType(before->type.scalar);
      steps.push_back(declare(kept, before, s->location));
      before = varRef(kept);
      last.push_back(assign(s->target, s->op, value(), s->location));
    } else if (s->target) {
      steps.push_back(assign(s->target, s->op, value(), s->location));
    } else if (s->kind == StmtKind::Decl) {
      steps.push_back(declare(s->var, value(), s->location));
    }
    for (StmtPtr &step : effect(*operation, s->location))
      steps.push_back(std::move(step));
    steps.insert(steps.end(), last.begin(), last.end());
    return steps;
  };
  return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind == StmtKind::Block) {
      std::vector<StmtPtr> children;
      for (const StmtPtr &child : s->children) {
        if (!isAtomic(child)) {
          children.push_back(child);
          continue;
        }
        for (StmtPtr &step : plain(child))
          children.push_back(std::move(step));
      }
      return withChildren(s, std::move(children));
    }
    std::vector<StmtPtr> children = s->children;
    for (StmtPtr &child : children) {
      if (isAtomic(child))
        child = block(plain(child));
    }
    return withChildren(s, std::move(children));
  });
}

} // namespace tangram::codegen
