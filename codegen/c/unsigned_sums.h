// Local arrays of sums that may wrap around, declared without a sign:
//
//     int sums[4];  sums[i] += (unsigned int)in[j];      unsigned int sums[4];  sums[i] += in[j];
//     total = sums[0];                                   total = (int)sums[0];
//
// It reads better, and GCC 12 needs it: where such an array has the elements of one lane, it makes vectors of the loop with
// the conversions and loses what its last rounds add (GCC 12.2, -O3; tests/every_plan.py found it).
#pragma once

#include "ir/stmt.h"

#include <functional>

namespace tangram::codegen {

/// `mayWrap`: whether the sum (product, ...) that a compound assignment makes may be beyond its type. Arrays that are
/// handed over as wholes, or used by vectors, stay as they are.
ir::StmtPtr withUnsignedSums(const ir::StmtPtr &body,
                             const std::function<bool(const ir::Stmt &)> &mayWrap);

} // namespace tangram::codegen
