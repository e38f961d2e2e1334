// The code of a level that only launches is cut into kernels: one a Parallel of groups.
#pragma once

#include "codegen/form/launch.h"
#include "codegen/form/refusal.h"

#include <variant>
#include <vector>

namespace tangram::codegen {

/// The kernels of an optimized plan in launch order, with their geometry, arguments and memory; or why
/// a host that only launches cannot run it.
std::variant<std::vector<Launch>, Refusal> splitKernels(const LoweredPlan &plan);

/// Whether the host does more than to launch one kernel after the other: `plan.body` says what, and
/// the launches are those of its Parallels of groups in the order in which they stand there.
///   For                   counts rounds, over what the host knows (building.h: countedLoop)
///   While, DoWhile, If    ask an element that a kernel has written
///   swap                  exchanges arrays
bool hasRounds(const LoweredPlan &plan);

} // namespace tangram::codegen
