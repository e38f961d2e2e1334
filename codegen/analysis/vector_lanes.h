// How many elements a vector of the machine has.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// Elements of a type that the lanes of the plan's machine have side by side, a power of two; 0 where lanes are not
/// loops, where the model leaves their number open, and where it is no power of two above 1.
unsigned vectorLanes(const LoweredPlan &plan, ir::Scalar type);

} // namespace tangram::codegen
