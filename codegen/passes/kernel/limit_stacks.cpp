// Stack limit: the arrays of a thread, whose extents tunables say, have to fit its stack together. The pass adds that as a
// constraint of the plan where they might not.
#include "algebra/simplify.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

namespace tangram::codegen {

using namespace ir;

namespace {

/// Over compile tunables; null: there are no arrays.
ExprPtr bytesOfArrays(const LoweredPlan &plan) {
  ExprPtr bytes;
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Decl || !s.var->extent)
      return;
    const auto size = static_cast<std::int64_t>(byteSize(s.var->type.scalar));
    const ExprPtr own = binary("*", s.var->extent, intLiteral(size));
    bytes = bytes ? binary("+", bytes, own) : own;
  });
  return bytes;
}

bool isWithin(const LoweredPlan &plan, const ExprPtr &bytes, std::uint64_t most) {
  const auto value = valueAtMost(plan, bytes, INT32_MAX);
  return value && static_cast<std::uint64_t>(*value) <= most;
}

} // namespace

LoweredPlan limitStacks(LoweredPlan plan) {
  const std::uint64_t most = plan.target->stackBytes;
  const ExprPtr bytes = most == 0 ? nullptr : bytesOfArrays(plan);
  if (bytes && !isWithin(plan, bytes, most))
    plan.constraints.push_back(
        {algebra::simplify(binary("<=", bytes, intLiteral(static_cast<std::int64_t>(most)))),
         "the arrays of a thread take at most " + std::to_string(most) + " bytes of its stack"});
  return plan;
}

} // namespace tangram::codegen
