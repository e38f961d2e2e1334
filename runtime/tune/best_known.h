// What a store knows of the tunables of a bundle that is about to run.
#pragma once

#include "runtime/tune/store.h"

#include <vector>

namespace tangram::runtime {

/// Of the choices for this code on this device, that of the nearest sizes (equal ratios of extents being
/// equally far), of those that are as near the newest; caches and inputs may be others. Null: there
/// is none.
const Choice *bestKnown(const std::vector<Choice> &choices, const TuningCase &wanted);

} // namespace tangram::runtime
