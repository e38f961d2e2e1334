#include "codegen/passes/array/tile_capacities.h"

#include "codegen/analysis/caches.h"
#include "codegen/analysis/register_bytes.h"
#include "composer/machine/machine_expression.h"

#include <algorithm>

namespace tangram::codegen {

Count powerBelow(Count n) {
  Count power = 1;
  while (power * 2 <= n)
    power *= 2;
  return power;
}

TileCapacities::TileCapacities(const LoweredPlan &plan)
    : registers(registerBytes(plan)), itemsAreLoops_(plan.target->itemsAreLoops) {
  for (const composer::Level &level : plan.machine->levels) {
    const auto index = static_cast<int>(&level - plan.machine->levels.data());
    if (level.isOfNests() && !plan.workers.contains(index))
      continue; // no maps share it
    const Role role = plan.role(index);
    for (const composer::Memory &memory : level.memory) {
      if (memory.space == "local" && role == Role::Group)
        local = memory.bytesIn(plan.target->name);
    }
    const auto count = composer::plainNumber(level.workers.defaultCount);
    if (role == Role::Item && count)
      (itemsAreLoops_ ? lanes : items) *= *count;
  }
  if (local == 0)
    local = plan.machine->code.localBytes;
  const Caches caches = cachesOf(plan);
  nearest = static_cast<Count>(caches.first);
  second = static_cast<Count>(caches.second);
}

TileCapacities::RegisterTile TileCapacities::registerTile(Count size, Count tiles) const {
  if (itemsAreLoops_) {
    const Count columns = 2 * (size > 4 ? std::max<Count>(lanes * 4 / size, 1) : lanes);
    const Count rows = registers * 3 / 4 / (columns * size * tiles);
    return {rows > 4 ? rows / 2 * 2 : rows, columns};
  }
  const Count elements = registers * 5 / 8 / (size * tiles);
  if (elements == 0)
    return {0, 0};
  Count rows = 1;
  while ((rows * 2) * (rows * 2) <= elements && rows < 16)
    rows *= 2;
  return {rows, rows};
}

Count TileCapacities::partOf(Count size) const {
  if (itemsAreLoops_)
    return powerBelow(std::max<Count>(std::max(second, nearest * 8) / (4 * size), 1));
  return items * powerBelow(std::max<Count>(registers / (4 * size), 1));
}

} // namespace tangram::codegen
