// Quotients and square roots of floats, which OpenCL C rounds correctly only where it is asked to and the device can.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// Option of OpenCL C that asks for it; only where CL_DEVICE_SINGLE_FP_CONFIG has CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT.
inline constexpr const char *roundedDivisionFlag = "-cl-fp32-correctly-rounded-divide-sqrt";

/// Whether the kernels of a plan have such quotients or square roots.
bool dividesFloats(const LoweredPlan &plan);

} // namespace tangram::codegen
