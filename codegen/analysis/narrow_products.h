// Sums of products of numbers of 8 or 16 bits into numbers of 32. Processors multiply neighbouring 16-bit numbers and add the
// products by pairs in one instruction (pmaddwd, vpdpwssd). Compilers use it for loops over such numbers that lie side by
// side along the sum:
//
//   for (k) for (i) for (j) c[i][j] += a[i][k] * b[j][k];      (a, b: 16 bits, i and j unrolled)
//
// So both factors are packed as 16 bits with the sum's dimension contiguous, and tiles of c are kept as scalars.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// Whether all that `s` adds to elements of the array are such sums, for targets whose items are loops.
bool sumsNarrowProducts(const LoweredPlan &plan, const ir::StmtPtr &s, const ir::Var *array);

/// Whether the loop is such a sum: all that its rounds assign is added along it.
bool isNarrowSum(const LoweredPlan &plan, const ir::StmtPtr &loop);

/// The number along which a factor of such a sum is read, where all reads of the array in `s` are such factors of one
/// sum; null: they are not.
ir::VarPtr summedAlong(const LoweredPlan &plan, const ir::StmtPtr &s, const ir::Var *array);

} // namespace tangram::codegen
