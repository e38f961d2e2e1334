#include "codegen/kernel/plan_facts.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

void assumePlan(algebra::Inequalities &facts, const LoweredPlan &plan) {
  for (const Tunable &tunable : plan.tunables)
    facts.assume(facts.of(ir::varRef(tunable.var)) -
                 static_cast<std::int64_t>(std::min<std::uint64_t>(tunable.min, 1 << 30)));
  for (const Constraint &each : plan.constraints)
    facts.assumeCondition(each.require);
}

algebra::Inequalities GrowingPlanFacts::now() const {
  std::vector<std::uint64_t> least;
  for (const Tunable &tunable : plan_.tunables)
    least.push_back(tunable.min);
  if (!known_ || least != least_ || plan_.constraints.size() < constraints_) {
    known_.emplace(plan_.proofs);
    assumePlan(*known_, plan_);
    least_ = std::move(least);
  } else {
    for (std::size_t i = constraints_; i < plan_.constraints.size(); ++i)
      known_->assumeCondition(plan_.constraints[i].require);
  }
  constraints_ = plan_.constraints.size();
  return *known_;
}

} // namespace tangram::codegen
