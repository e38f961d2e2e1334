// Helper functions that update what they are given: their expressions in the place of their calls.
//
//   float madd(float a, float b, float sum) { return a * b + sum; }
//   sum = madd(x[i], y[i], sum);      ->      sum = x[i] * y[i] + sum;
//
// As an update (updates.h), the assignment is one that loops add up by.
#pragma once

#include "ir/program.h"

namespace tangram::composer {

/// The program with assignments of that kind written out: an argument of the call is what it is assigned to, and the
/// function is one expression of its parameters.
ir::Program withInlinedUpdates(ir::Program program);

} // namespace tangram::composer
