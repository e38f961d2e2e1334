// Plan nodes from rules: what both strategies do when a rule is applied.
#pragma once

#include "composer/plans/plan_interner.h"
#include "composer/plans/plan_rules.h"

namespace tangram::composer {

/// What stands in the plan node of `rule` for its open goal number `index`, composed by `plan`:
/// the plan itself, or the map of a codelet that applies it.
ir::PlanPtr slotOf(const ProgramRule &rule, std::size_t index, ir::PlanPtr plan,
                   const PlanInterner &interner);

/// The node of `rule` with one slot for each of its open goals, in order.
ir::PlanPtr nodeOf(const ProgramRule &rule, const std::vector<ir::PlanPtr> &slots,
                   const PlanInterner &interner);

} // namespace tangram::composer
