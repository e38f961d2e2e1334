// Which sizes are made up for containers that nobody gives sizes.
#pragma once

#include "runtime/bundle/manifest.h"

namespace tangram::runtime {

/// Hands the constraints that name extents alone on to the signature, as its limits.
void limitExtents(Manifest &manifest);

} // namespace tangram::runtime
