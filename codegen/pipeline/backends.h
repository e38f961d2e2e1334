// The list of backends.
#pragma once

#include "codegen/printing/backend.h"

namespace tangram::codegen {

/// Of a target that code is generated for.
const Backend &backendOf(const TargetTraits &target);

} // namespace tangram::codegen
