// How much a worker of the machine holds in registers.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <cstdint>

namespace tangram::codegen {

/// Bytes of registers that numbers of one worker may take: of a thread's vectors where items are loops. What the model says of
/// private memory, or of the machine's code.
std::uint64_t registerBytes(const LoweredPlan &plan);

} // namespace tangram::codegen
