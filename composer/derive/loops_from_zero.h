// A loop over a block, whose first number depends on the loops around it but whose number of rounds does not, begins with zero.
//
//   for (g < groups) for (c = g * per; c < (g + 1) * per; ++c) s += x[c];
//     ->  for (g < groups) for (k = 0; k < per; ++k) s += x[g * per + k];
//
// So the loops are a nest over a box, whose accesses have strides.
#pragma once

#include "ir/program.h"

namespace tangram::composer {

ir::Codelet withLoopsFromZero(const ir::Codelet &codelet);

} // namespace tangram::composer
