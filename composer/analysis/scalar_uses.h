// Data-flow analysis of scalar parameters: one decides if a loop's end, a size, an index, a shift or an integer divisor
// depends on it. The others only take part in arithmetic, so that a program may be tried with any value of them.
//
//   void scale(unsigned steps, float factor, Array<1, float> a) {
//     for (unsigned s = 0; s < steps; ++s)                            // steps decides
//       for (unsigned i = 0; i < a.size(); ++i) a[i] *= factor;       // factor does not
//   }
//
// Data flow is followed backwards through variables, helper functions and spectrums; what goes through the elements of
// an array is not.
#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// For each parameter of the spectrum; containers are false. In any of the program's codelets.
std::vector<bool> decidingScalars(const ir::Program &program, const std::string &spectrum);

} // namespace tangram::composer
