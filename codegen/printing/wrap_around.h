// Arithmetic of integers with a sign wraps around in codelets, and is undefined in C and OpenCL C where it does. So what may
// wrap around is computed without a sign, where everything does, and converted back:
//
//     x * y + 1        (int)((unsigned int)x * y + 1)
//     sum += x         sum += (unsigned int)x
//     x / y            quotient_i32(x, y)            INT_MIN / -1 is INT_MIN
//     x << y           (int)((unsigned int)x << (y & 31))
//
// Where ranges (codegen/analysis/integer_ranges.h) say that a result fits, code stays as it is.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

enum class Dialect {
  C,
  OpenCL, ///< which takes amounts of shifts modulo the width
};

/// `body`, which is about to be printed, in operations that are defined for all numbers.
ir::StmtPtr withWrapAround(const ir::StmtPtr &body, Dialect dialect);

} // namespace tangram::codegen
