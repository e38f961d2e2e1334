// Names of a bundle's interface: those of its library and parameters, beside which its files have names of their
// own and call functions of others.
#pragma once

#include "codegen/bundle/bundle.h"

#include <optional>
#include <string>

namespace tangram::codegen {

/// Why the library cannot have its name (`plan.spectrum`), or a parameter its own, and what to do about it.
std::optional<Refusal> clashOfNames(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                                    bool python);

} // namespace tangram::codegen
