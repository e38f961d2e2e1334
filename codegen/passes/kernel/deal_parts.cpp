// Overdecomposition: a plan has more parts than workers, as many for each as the machine's model says, and workers take
// them when they have time, so that one that begins late takes fewer:
//
//   before: p = threads     after: p = 8 * threads
//
// Where the sizes of a call tell how many elements the parts divide, no part has fewer elements than are taken together, unless
// threads would have nothing to do:
//
//   after: p = max(threads, min(8 * threads, rows / 8))
#include "algebra/simplify.h"
#include "codegen/analysis/dealt_parts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <cstdint>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Rounds of a loop that are taken together at most, as outer-loop-vectorization takes them.
constexpr std::int64_t leastElements = 8;

/// The elements of which each part has `(elements + parts - 1) / parts`, over the sizes of a call; null: the code divides nothing
/// so, or other numbers tell.
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
    if (const ExprPtr elements = dividedElements(plan, parts->var.get())) {
      const ExprPtr threads = varRef(newVariable("threads", Scalar::Index, VarKind::Param));
      tunable->sizedDefault = algebra::maxOf(
          threads,
          algebra::minOf(algebra::mul(intLiteral(static_cast<std::int64_t>(each)), threads),
                         binary("/", elements, intLiteral(leastElements))));
    }
  });
  return plan;
}

} // namespace tangram::codegen
