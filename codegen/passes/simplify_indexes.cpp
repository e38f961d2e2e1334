#include "codegen/passes.h"
#include "codegen/simplify.h"

namespace tangram::codegen {

LoweredPlan simplifyIndexes(LoweredPlan plan) {
  Facts facts;
  for (const Tunable &tunable : plan.tunables)
    facts.positive[tunable.var.get()] = tunable.min >= 1;
  plan.body = simplify(plan.body, facts);
  return plan;
}

} // namespace tangram::codegen
