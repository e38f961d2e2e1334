// Arrays of warps as registers of their lanes.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <string>

namespace tangram::codegen {

/// What calls of CUDA's shuffles are named in the kernel form; their mask, all lanes, is the printer's.
inline constexpr const char *shufflePrefix = "__shfl_";

/// Keeps arrays of warps in registers, on machines whose warps have private memory; places barriers of warps anew.
LoweredPlan withWarpRegisters(LoweredPlan plan);

} // namespace tangram::codegen
