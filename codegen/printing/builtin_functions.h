// What OpenCL C has a function of its own for.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

/// `1 / sqrt(x)` of a float becomes `rsqrt(x)`, which is off by 2 units in the last place at most, where the root
/// and the quotient may be off by 3 and by 2.5. And where a number that has a name, and keeps its value, is asked
/// for its sine and its cosine, they are found together:
///
/// before: const float angle = A;  B(sin(angle), cos(angle));
/// after:  const float angle = A;  float cosine; const float sine = sincos(angle, &cosine);  B(sine, cosine);
///
/// `sincos` is a call of two arguments here, the second of which it writes to.
/// `exact`: floating-point numbers decide something, and each operation is to be rounded as in C.
ir::StmtPtr withBuiltinFunctions(const ir::StmtPtr &body, bool exact);

} // namespace tangram::codegen
