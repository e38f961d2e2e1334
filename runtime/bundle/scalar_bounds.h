// Which values are made up for scalars that nobody gives.
#pragma once

#include "runtime/bundle/manifest.h"

namespace tangram::runtime {

/// Gives every integer scalar of the signature a range of values that meet the constraints which
/// name it alone, from the smallest of them that is near 0 or near a number of such a constraint:
/// at most usualScalarLimit values, [1, 6) under n >= 1 and n <= 5. They are below 0 only where no others do. Where none does,
/// the range is the usual one, and the plan refuses what is made up. Also the extremes of the values that meet them.
void boundScalars(Manifest &manifest);

} // namespace tangram::runtime
