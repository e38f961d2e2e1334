// Simplification of index expressions (algebra/simplify.h), with the plan's facts, and tunables that are at least 1.
#include "algebra/simplify.h"
#include "codegen/passes/kernel/passes.h"

namespace tangram::codegen {

using namespace algebra;

LoweredPlan simplifyIndexes(LoweredPlan plan) {
  Facts facts;
  facts.proofs = plan.proofs;
  for (const Tunable &tunable : plan.tunables) {
    if (tunable.min >= 1)
      facts.positive.push_back(tunable.var);
  }
  plan.body = simplify(plan.body, facts);
  return plan;
}

} // namespace tangram::codegen
