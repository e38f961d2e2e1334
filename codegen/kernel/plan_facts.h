// What proofs may take for granted of a plan's numbers.
#pragma once

#include "algebra/inequalities.h"
#include "codegen/kernel/kernel_ir.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tangram::codegen {

/// That tunables are no less than their least values, and that what the plan requires holds.
void assumePlan(algebra::Inequalities &facts, const LoweredPlan &plan);

/// The same of a plan that is being made, to which tunables and requirements are added; each is written down once.
class GrowingPlanFacts {
public:
  explicit GrowingPlanFacts(const LoweredPlan &plan) : plan_(plan) {}

  /// What is known by now.
  algebra::Inequalities now() const;

private:
  const LoweredPlan &plan_;
  mutable std::optional<algebra::Inequalities> known_;
  mutable std::vector<std::uint64_t> least_; ///< of tunables in `known_`
  mutable std::size_t constraints_ = 0;      ///< in `known_`
};

} // namespace tangram::codegen
