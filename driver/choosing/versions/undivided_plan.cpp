#include "driver/choosing/versions/undivided_plan.h"

#include <algorithm>

namespace tangram::driver {

bool divides(const ir::PlanNode &plan) {
  return (plan.kind == ir::PlanNode::Kind::Map && plan.policy != ir::MapPolicy::Serialize) ||
         std::ranges::any_of(plan.children,
                             [](const ir::PlanPtr &child) { return divides(*child); });
}

} // namespace tangram::driver
