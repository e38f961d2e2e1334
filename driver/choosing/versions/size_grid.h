// Sizes from few to many elements, at which versions of a library are compared.
#pragma once

#include "runtime/data/inputs.h"

#include <vector>

namespace tangram::driver {

/// Extents that no equation of the signature fixes, in order.
std::vector<std::string> freeExtents(const runtime::Signature &signature);

/// Every combination of sizes far apart of the extents that no equation fixes, without those whose
/// containers would fill a machine: at most a few hundred choices, fewer steps where there are more extents. Also few that are no powers
/// of 2, since not every plan serves these.
std::vector<runtime::SizeChoice> sizeGrid(const runtime::Signature &signature);

} // namespace tangram::driver
