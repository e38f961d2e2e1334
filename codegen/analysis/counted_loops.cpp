#include "codegen/analysis/counted_loops.h"

#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "codegen/analysis/plan_facts.h"

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

bool isShort(const LoweredPlan &plan, const ExprPtr &bound) {
  return !contains(bound, [&](const Expr &e) {
    const Tunable *tunable = e.var ? plan.tunableOf(e.var) : nullptr;
    return e.kind == ExprKind::Index ||
           (e.var && !(tunable && tunable->kind == Tunable::Kind::Compile));
  });
}

bool hasOnlyShortLoops(const LoweredPlan &plan, const StmtPtr &round) {
  bool fits = true;
  forEach(round, [&](const Stmt &each) {
    const auto inner = each.kind == StmtKind::For ? countedLoop(each) : std::nullopt;
    fits &= isLoop(each) ? inner && isShort(plan, inner->bound)
                         : each.kind != StmtKind::Barrier && (each.kind != StmtKind::Parallel ||
                                                              plan.role(each.level) != Role::Group);
  });
  return fits;
}

bool isCount(const LoweredPlan &plan, const ExprPtr &e) {
  if (const auto value = literalValue(e))
    return *value >= 1;
  if (e->kind == ExprKind::Binary && e->op == "*")
    return isCount(plan, e->args[0]) && isCount(plan, e->args[1]);
  const Tunable *tunable = e->kind == ExprKind::Var ? plan.tunableOf(e->var) : nullptr;
  return tunable && tunable->min >= 1;
}

bool isAtMost(const LoweredPlan &plan, const ExprPtr &a, const ExprPtr &b) {
  Inequalities facts(plan.proofs);
  assumePlan(facts, plan);
  const Polynomial difference = facts.of(b) - facts.of(a);
  return facts.isNonNegative(difference);
}

std::optional<CountedLoop> loopUpTo(const Stmt &s) {
  if (s.kind != StmtKind::For)
    return std::nullopt;
  const ExprPtr &condition = s.value;
  const bool shifted = condition && condition->kind == ExprKind::Binary && condition->op == "<" &&
                       condition->args[0]->kind == ExprKind::Binary &&
                       condition->args[0]->op == "+" &&
                       literalValue(condition->args[0]->args[1]).value_or(-1) > 0;
  if (!shifted)
    return countedLoop(s);
  const ExprPtr &by = condition->args[0]->args[1];
  Stmt plain = s;
  plain.value =
      binary("<", condition->args[0]->args[0], simplify(sub(maxOf(condition->args[1], by), by)));
  return countedLoop(plain);
}

std::set<const Var *> changedIn(const CountedLoop &loop) {
  std::set<const Var *> changing = changedIn(loop.body);
  changing.insert(loop.i.get());
  return changing;
}

bool staysInRounds(const LoweredPlan &plan, const ExprPtr &e,
                   const std::set<const Var *> &changing) {
  return !contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
           (each.kind == ExprKind::Call && each.callee != "min" && each.callee != "max") ||
           (each.kind == ExprKind::Binary && (each.op == "/" || each.op == "%") &&
            !isCount(plan, each.args[1])) ||
           (each.var && changing.contains(each.var.get()));
  });
}

} // namespace tangram::codegen
