// What a bundle's manifest says of a plan, without a bundle: so that a plan that is interpreted gets
// its sizes, inputs and tunables by the rules by which one that runs gets them.
#pragma once

#include "codegen/kernel/kernel_ir.h"
#include "runtime/bundle/manifest.h"
#include "runtime/bundle/requirements.h"

namespace tangram::driver {

/// Extents, scalars and tunables stand in the order of the plan's. Defaults of tunables are small:
/// what goes wrong among workers goes wrong among few. Error: an expression that the host cannot
/// evaluate.
runtime::Result<runtime::Manifest> manifestOf(const codegen::LoweredPlan &plan,
                                              const ir::Spectrum &spectrum);

/// A device as the machine's model has it.
runtime::DeviceFacts factsOf(const composer::Machine &machine);

} // namespace tangram::driver
