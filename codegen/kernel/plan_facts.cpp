#include "codegen/kernel/plan_facts.h"

#include <algorithm>

namespace tangram::codegen {

void assumePlan(algebra::Inequalities &facts, const LoweredPlan &plan) {
  for (const Tunable &tunable : plan.tunables)
    facts.assume(facts.of(ir::varRef(tunable.var)) -
                 static_cast<std::int64_t>(std::min<std::uint64_t>(tunable.min, 1 << 30)));
  for (const Constraint &each : plan.constraints)
    facts.assumeCondition(each.require);
}

} // namespace tangram::codegen
