// What a plan's tunables may be: their domains, narrowed by the plan's constraints and by the local
// memory of the machine (composer/analysis/tunable_domains.h), so that a tuner tries nothing that must fail.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/form/refusal.h"

#include "composer/analysis/tunable_domains.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tangram::codegen {

/// The level whose workers have so and so many bytes of local memory; null: the machine does not say.
const composer::Level *levelOfLocalMemory(const composer::Machine &machine);

/// Of a group; no limit where the machine does not say.
std::uint64_t bytesOfLocalMemory(const LoweredPlan &plan);

/// Arrays that are not in memory of all groups, launch by launch: each launch has local memory for its own. Where nothing
/// starts groups, those of the whole plan.
std::vector<std::vector<const Buffer *>> localBuffersOfLaunches(const LoweredPlan &plan);

/// Elements of a buffer in the memory of a group: a warp's array stands there once for each warp.
ir::ExprPtr elementsInGroup(const LoweredPlan &plan, const Buffer &buffer);

struct TunableRanges {
  std::vector<composer::TunableRange> before; ///< in the order of LoweredPlan::tunables
  composer::NarrowedRanges after;

  /// Why the plan has no values for its tunables at all.
  std::optional<Refusal> refusal() const;
};

/// Constraints that sizes take part in narrow a domain as symbols only.
TunableRanges tunableRanges(const LoweredPlan &plan);

/// Give each tunable of `plan` the numbers of its narrowed range: min, max and values.
void applyRanges(LoweredPlan &plan, const TunableRanges &ranges);

} // namespace tangram::codegen
