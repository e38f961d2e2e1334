// Upper bounds of extents that can be checked before a kernel is launched.
#include "codegen/lowering.h"
#include "codegen/simplify.h"

namespace tangram::codegen {

using namespace ir;

void Lowering::remember(const VarPtr &var, const ExprPtr &definition) {
  if (!definitions_.insert_or_assign(var.get(), definition).second)
    closedDefinitions_.clear();
}

void Lowering::boundWorker(const VarPtr &worker, const ExprPtr &count) {
  largest_[worker.get()] = sub(count, intLiteral(1));
}

ExprPtr Lowering::closed(const ExprPtr &e) const {
  if (!e)
    return e;
  return simplify(rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
    if (each->kind != ExprKind::Var)
      return each;
    auto definition = definitions_.find(each->var.get());
    if (definition == definitions_.end())
      return each;
    // Definitions are built on one another: each is closed once.
    ExprPtr &known = closedDefinitions_[each->var.get()];
    if (!known)
      known = closed(definition->second);
    return known;
  }));
}

namespace {

bool isClosed(const ExprPtr &e, const LoweredPlan &plan) {
  return !contains(e, [&](const Expr &each) {
    if (each.kind == ExprKind::Index)
      return true;
    return each.kind == ExprKind::Var && each.var->kind != VarKind::Param &&
           plan.tunableOf(each.var) == nullptr;
  });
}

} // namespace

ExprPtr Lowering::upperBound(const ExprPtr &e) const {
  if (isClosed(e, plan_))
    return e;
  switch (e->kind) {
  case ExprKind::Var: {
    auto worker = largest_.find(e->var.get());
    if (worker != largest_.end())
      return upperBound(worker->second);
    auto definition = definitions_.find(e->var.get());
    return definition == definitions_.end() ? nullptr : upperBound(definition->second);
  }
  case ExprKind::Cast: {
    ExprPtr inner = upperBound(e->args[0]);
    return inner ? cast(e->type.scalar, inner) : nullptr;
  }
  case ExprKind::Binary: {
    ExprPtr a = upperBound(e->args[0]);
    // Subtraction and division do not grow with their right operand, so only its
    // exact value will do there.
    ExprPtr b = e->op == "+" || e->op == "*" ? upperBound(e->args[1]) : closed(e->args[1]);
    bool monotone = e->op == "+" || e->op == "*" || e->op == "-" || e->op == "/";
    if (!monotone || !a || !b || !isClosed(b, plan_))
      return nullptr;
    return simplify(binary(e->op, a, b));
  }
  case ExprKind::Call: {
    if (e->callee != "min" && e->callee != "max")
      return nullptr;
    ExprPtr a = upperBound(e->args[0]);
    ExprPtr b = upperBound(e->args[1]);
    if (a && b)
      return simplify(call(e->callee, e->type, {a, b}));
    if (e->callee == "min")
      return a ? a : b;
    return nullptr;
  }
  default:
    return nullptr;
  }
}

View Lowering::withBound(View view) {
  for (Dimension &d : view.dims) {
    ExprPtr bound = upperBound(d.bound);
    d.bound = bound ? bound : d.bound;
    // What is cut out of this view again is bounded in terms of this extent's name.
    if (bound && d.extent->kind == ExprKind::Var && !isClosed(d.extent, plan_))
      largest_[d.extent->var.get()] = bound;
  }
  return view;
}

} // namespace tangram::codegen
