// What a bundle's manifest says of a plan, without a bundle: so that a plan that is interpreted gets
// its sizes, inputs and tunables by the rules by which one that runs gets them.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "runtime/bundle/manifest.h"
#include "runtime/bundle/requirements.h"

namespace tangram::driver {

/// What tunables are where nobody says.
enum class TunableDefaults {
  Small,    ///< what goes wrong among workers goes wrong among few
  OfBundle, ///< as a bundle of the plan would have them
};

/// Of a plan whose tunables have their ranges (codegen/analysis/tunable_ranges.h). Extents, scalars and
/// tunables stand in the order of the plan's. Error: an expression that the host
/// cannot evaluate.
runtime::Result<runtime::Manifest> manifestOf(const codegen::LoweredPlan &plan,
                                              const ir::Spectrum &spectrum,
                                              TunableDefaults defaults = TunableDefaults::Small);

/// A device as the machine's model has it, but with few units.
runtime::DeviceFacts factsOf(const composer::Machine &machine, const std::string &target);
/// And with as many as it has.
runtime::DeviceFacts allFactsOf(const composer::Machine &machine, const std::string &target);

} // namespace tangram::driver
