#include "codegen/printing/unroll_budget.h"

#include "algebra/simplify.h"
#include "codegen/form/building.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// How many copies of a body there are.
struct Copies {
  double most = 1;
  ExprPtr count = intLiteral(1);

  Copies times(const Copies &other) const {
    return {most * other.most, algebra::mul(count, other.count)};
  }
};

bool isUnrolled(const Stmt &s) { return s.kind == StmtKind::For && s.unroll > 1; }

/// The rounds of a loop that stand one after the other: all of them, or as many as are asked for.
Copies copiesOf(const LoweredPlan &plan, const Stmt &loop) {
  const auto counted = countedLoop(loop);
  const double lanes = std::max(loop.lanes, 1U);
  const auto asked = static_cast<double>(loop.unroll);
  const ExprPtr bound = counted && isLiteral(counted->start, 0) ? counted->bound : nullptr;
  const Tunable *tunable =
      bound && bound->kind == ExprKind::Var ? plan.tunableOf(bound->var) : nullptr;
  if (tunable && tunable->kind == Tunable::Kind::Compile) {
    const double most = tunable->values.empty()
                            ? static_cast<double>(tunable->max)
                            : static_cast<double>(std::ranges::max(tunable->values));
    const ExprPtr count = loop.lanes > 1 ? binary("/", bound, intLiteral(loop.lanes)) : bound;
    return {std::min(asked, most / lanes), count};
  }
  const double number = static_cast<double>(literalValue(bound).value_or(loop.unroll));
  const double copies = std::clamp(number / lanes, 1.0, asked);
  return {copies, intLiteral(static_cast<std::int64_t>(copies))};
}

/// The largest number of copies of an innermost body in `body`: the product over the unrolled loops around it.
Copies copiesIn(const LoweredPlan &plan, const StmtPtr &body) {
  if (!body)
    return {};
  Copies found;
  for (const StmtPtr &child : body->children) {
    const Copies inside = copiesIn(plan, child);
    if (inside.most > found.most)
      found = inside;
  }
  return isUnrolled(*body) ? copiesOf(plan, *body).times(found) : found;
}

} // namespace

ExprPtr unrollCondition(const LoweredPlan &plan, const std::vector<const Stmt *> &around,
                        const Stmt &loop) {
  Copies all;
  for (const Stmt *each : around)
    all = all.times(copiesOf(plan, *each));
  all = all.times(copiesOf(plan, loop)).times(copiesIn(plan, loop.children[2]));
  if (all.most <= static_cast<double>(mostCopies))
    return nullptr;
  return algebra::simplify(binary("<=", all.count, intLiteral(mostCopies)));
}

} // namespace tangram::codegen
