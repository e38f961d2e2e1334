#include "codegen/analysis/register_bytes.h"

#include "composer/machine/machine_expression.h"

namespace tangram::codegen {

namespace {

constexpr std::uint64_t bytesOfALane = 4; ///< by which lanes of vectors are counted

} // namespace

std::uint64_t registerBytes(const LoweredPlan &plan) {
  std::uint64_t bytes = 0;
  std::uint64_t lanes = 1;
  for (std::size_t i = 0; i < plan.machine->levels.size(); ++i) {
    const composer::Level &level = plan.machine->levels[i];
    const Role role = plan.role(static_cast<int>(i));
    for (const composer::Memory &memory : level.memory) {
      if (memory.space == "private" && role != Role::Host)
        bytes = memory.bytes;
    }
    const auto count = composer::plainNumber(level.workers.defaultCount);
    if (role == Role::Item && count && plan.target->itemsAreLoops)
      lanes *= *count;
  }
  const composer::CodeLimits &code = plan.machine->code;
  if (bytes > 0)
    return bytes;
  return plan.target->itemsAreLoops ? code.vectorRegisters * lanes * bytesOfALane
                                    : code.privateBytes;
}

} // namespace tangram::codegen
