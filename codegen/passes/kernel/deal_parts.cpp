// Overdecomposition: a plan has more parts than workers, as many for each as the machine's model says, and workers take
// them when they have time, so that one that begins late takes fewer:
//
//   before: p = threads     after: p = 8 * threads
//
// If the number of elements follows from the sizes of the call, each part has at least eight of them, as many as
// outer-loop-vectorization takes together, unless a thread would have none:
//
//   after: p = max(threads, min(8 * threads, rows / 8))
//
// Not where one element may take much longer than another, as rows of a triangle or of a sparse matrix do: small parts even that out.
#include "algebra/simplify.h"
#include "codegen/analysis/dealt_parts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "codegen/passes/kernel/rounds_together.h"

#include <algorithm>
#include <cstdint>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The number of elements that the plan divides among the parts, as an expression of the call's sizes: `elements` of a quotient
/// `(elements + parts - 1) / parts`. Null if there is none, or if it names other variables.
ExprPtr dividedElements(const LoweredPlan &plan, const Var *parts) {
  ExprPtr found;
  forEachExpr(plan.body, [&](const Expr &e) {
    const bool isQuotient =
        e.kind == ExprKind::Binary && e.op == "/" && e.args[1]->var.get() == parts;
    if (!isQuotient || found)
      return;
    const ExprPtr elements = algebra::simplify(
        algebra::sub(algebra::add(e.args[0], intLiteral(1)), varRef(e.args[1]->var)));
    const bool isOfSizes = !contains(elements, [&](const Expr &each) {
      return each.kind == ExprKind::Index ||
             (each.kind == ExprKind::Var &&
              std::ranges::find(plan.extents, each.var) == plan.extents.end());
    });
    found = isOfSizes ? elements : nullptr;
  });
  return found;
}

/// The variables that change within a part: counters of loops, assigned variables, and constants that are computed of these or of
/// elements.
std::set<const Var *> changingIn(const StmtPtr &part) {
  std::set<const Var *> changing;
  const auto isChanging = [&](const ExprPtr &e) {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.var && changing.contains(each.var.get()));
    });
  };
  for (std::size_t before = SIZE_MAX; before != changing.size();) {
    before = changing.size();
    forEach(part, [&](const Stmt &s) {
      if (s.kind == StmtKind::For && s.children[0] && s.children[0]->var)
        changing.insert(s.children[0]->var.get());
      else if (s.kind == StmtKind::Decl && s.value && isChanging(s.value))
        changing.insert(s.var.get());
      else if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        changing.insert(s.target->var.get());
    });
  }
  return changing;
}

/// Whether each element of a part takes about as long as another: its loops go equally far, or elements are lanes of vectors.
bool takesEqually(const StmtPtr &part) {
  bool isOfLanes = false, isEven = true;
  const std::set<const Var *> changing = changingIn(part);
  forEach(part, [&](const Stmt &s) {
    isOfLanes |= s.sideBySide;
    if (!isLoop(s))
      return;
    const Var *counter =
        s.kind == StmtKind::For && s.children[0] ? s.children[0]->var.get() : nullptr;
    isEven = isEven && counter && s.value && !contains(s.value, [&](const Expr &each) {
               return each.kind == ExprKind::Index ||
                      (each.var && each.var.get() != counter && changing.contains(each.var.get()));
             });
  });
  return isOfLanes || isEven;
}

} // namespace

LoweredPlan dealParts(LoweredPlan plan) {
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Parallel || s.span == Span::One || plan.role(s.level) != Role::Group ||
        handsOver(s.children[0]))
      return;
    const Tunable *parts = dealtParts(plan, s);
    const std::uint64_t each =
        plan.machine->levels[static_cast<std::size_t>(s.level)].workers.parts;
    if (!parts || each == 1 || !parts->values.empty())
      return;
    auto tunable =
        std::ranges::find_if(plan.tunables, [&](const Tunable &t) { return t.var == parts->var; });
    if (tunable->defaultValue != "threads")
      return;
    tunable->defaultValue = std::to_string(each) + " * threads";
    const ExprPtr elements = dividedElements(plan, parts->var.get());
    if (elements && takesEqually(s.children[0])) {
      const ExprPtr threads = varRef(newVariable("threads", Scalar::Index, VarKind::Param));
      tunable->sizedDefault = algebra::maxOf(
          threads,
          algebra::minOf(algebra::mul(intLiteral(static_cast<std::int64_t>(each)), threads),
                         binary("/", elements, intLiteral(mostRowsTogether))));
    }
  });
  return plan;
}

} // namespace tangram::codegen
