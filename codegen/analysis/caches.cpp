#include "codegen/analysis/caches.h"

namespace tangram::codegen {

Caches cachesOf(const LoweredPlan &plan) {
  Caches caches;
  for (const composer::Level &level : plan.machine->levels) {
    const auto index = static_cast<int>(&level - plan.machine->levels.data());
    if (plan.role(index) != Role::Group || (level.isOfNests() && !plan.workers.contains(index)))
      continue;
    for (const composer::Memory &memory : level.memory) {
      if (memory.space == "cache")
        (caches.first == 0 ? caches.first : caches.second) =
            static_cast<std::int64_t>(memory.bytes);
    }
  }
  if (caches.first == 0)
    caches.first = static_cast<std::int64_t>(plan.machine->code.cacheBytes);
  return caches;
}

} // namespace tangram::codegen
