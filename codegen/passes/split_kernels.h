// The code of a level that only launches is cut into kernels: one a Parallel of groups.
#pragma once

#include "codegen/kernel/launch.h"
#include "codegen/lowering/lower.h"

#include <variant>
#include <vector>

namespace tangram::codegen {

/// The kernels of an optimized plan in launch order, with their geometry, arguments and memory; or why
/// a host that only launches cannot run it.
std::variant<std::vector<Launch>, Refusal> splitKernels(const LoweredPlan &plan);

} // namespace tangram::codegen
