#include "codegen/passes/vector_lanes.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace tangram::codegen {

unsigned vectorLanes(const LoweredPlan &plan, ir::Scalar type) {
  if (!plan.target || !plan.target->itemsAreLoops || !plan.machine)
    return 0;
  unsigned lanes = 0;
  for (const composer::Level &level : plan.machine->levels) {
    const auto index = static_cast<int>(&level - plan.machine->levels.data());
    const std::string &count = level.workers.defaultCount;
    if (plan.role(index) == Role::Item && !count.empty() &&
        std::ranges::all_of(count, [](unsigned char c) { return std::isdigit(c) != 0; }))
      lanes = static_cast<unsigned>(std::stoul(count));
  }
  // A model counts lanes of 4 bytes.
  const auto bytes = static_cast<unsigned>(byteSize(type));
  lanes = bytes > 4 ? lanes * 4 / bytes : lanes;
  return lanes > 1 && (lanes & (lanes - 1)) == 0 ? lanes : 0;
}

} // namespace tangram::codegen
