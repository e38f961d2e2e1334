// Which sizes and scalars are made up where nobody gives them.
#pragma once

#include "runtime/bundle/manifest.h"

namespace tangram::runtime {

/// Hands the constraints that name extents alone, or integer scalars alone, on to the signature, as its limits.
void limitExtents(Manifest &manifest);

} // namespace tangram::runtime
