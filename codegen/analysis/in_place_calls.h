// In-place calls: containers of a call that may be the same memory.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// Whether a call may pass one array as both `other` and `written`, which the plan writes: only the round that
/// writes an element reads it, and reads it first. For plans in kernel form, whose loops are those of threads.
/// False: not proved.
bool mayBeSameMemory(const LoweredPlan &plan, const ir::VarPtr &other, const ir::VarPtr &written);

} // namespace tangram::codegen
