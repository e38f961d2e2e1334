#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/form/refusal.h"

#include <optional>

namespace tangram::codegen {

/// Why the machine cannot do an atomic operation of the plan, and where that stands: no level whose
/// workers come by it lists the element's type among its `atomics`. What one worker alone does needs none.
std::optional<Refusal> unsupportedAtomic(const LoweredPlan &plan);

} // namespace tangram::codegen
