// Which containers of a call may be the same memory.
#pragma once

#include "codegen/kernel/kernel_ir.h"

namespace tangram::codegen {

/// Whether a call may give the plan one array for two of its containers, of which it writes `written`: every
/// element is read before it is written, by the round of all loops that writes it, and by no other round. Plans
/// in kernel form, whose loops are those of threads. False: not proved.
bool mayBeSameMemory(const LoweredPlan &plan, const ir::VarPtr &other, const ir::VarPtr &written);

} // namespace tangram::codegen
