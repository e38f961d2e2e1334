// A cooperative codelet as what its lanes run together.
#pragma once

#include "codegen/lockstep/split_lockstep.h"
#include "ir/program.h"

#include <optional>

namespace tangram::codegen {

/// The body of the codelet, with its returns at its end and one name for every container; whose
/// workers its lanes are is left open.
LockstepRegion regionOf(const ir::Codelet &codelet, ir::Scalar result);

/// Why no machine can run the codelet's lanes together, whatever the plan; nothing where they can.
std::optional<Refusal> whyNotInLockstep(const ir::Codelet &codelet, ir::Scalar result);

} // namespace tangram::codegen
