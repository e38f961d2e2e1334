// Arrays of warps as registers of their lanes.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <string>

namespace tangram::codegen {

/// Calls with this prefix are CUDA's shuffles in the kernel form; the printer adds their mask, all lanes.
inline constexpr const char *shufflePrefix = "__shfl_";

/// Keeps arrays of warps in registers, on machines whose warps have private memory; places barriers of warps anew.
LoweredPlan withWarpRegisters(LoweredPlan plan);

} // namespace tangram::codegen
