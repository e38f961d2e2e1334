#include "codegen/analysis/vector_lanes.h"

#include "composer/machine/machine_expression.h"

namespace tangram::codegen {

unsigned vectorLanes(const LoweredPlan &plan, ir::Scalar type) {
  if (!plan.target || !plan.target->itemsAreLoops || !plan.machine)
    return 0;
  unsigned lanes = 0;
  for (const composer::Level &level : plan.machine->levels) {
    const auto index = static_cast<int>(&level - plan.machine->levels.data());
    const auto count = composer::plainNumber(level.workers.defaultCount);
    if (plan.role(index) == Role::Item && count && !level.isOfNests())
      lanes = static_cast<unsigned>(*count);
  }
  // A model counts lanes of 4 bytes.
  const auto bytes = static_cast<unsigned>(byteSize(type));
  lanes = bytes > 4 ? lanes * 4 / bytes : lanes;
  return lanes > 1 && (lanes & (lanes - 1)) == 0 ? lanes : 0;
}

} // namespace tangram::codegen
