// Local variables and arrays that hold sums which may wrap around, declared without a sign:
//
//     int sum = 0;  sum += (unsigned int)in[j];      unsigned int sum = 0;  sum += in[j];
//     total = sum;                                   total = (int)sum;
//
// It reads better, and GCC 12 needs it: from the form with conversions it makes vectors that lose what the last rounds of the
// loop add (GCC 12.2, -O3; tests/every_plan.py and tests/vectors.py found it).
#pragma once

#include "ir/stmt.h"

#include <functional>

namespace tangram::codegen {

/// `mayWrap`: whether the sum (product, ...) that a compound assignment makes may be beyond its type. Arrays that are
/// handed over as wholes, and what vectors use, stay as they are.
ir::StmtPtr withUnsignedSums(const ir::StmtPtr &body,
                             const std::function<bool(const ir::Stmt &)> &mayWrap);

} // namespace tangram::codegen
