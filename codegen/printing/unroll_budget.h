// Loops in loops that are all asked to be unrolled, over tiles whose sizes are chosen when the code is compiled: how many
// copies of the innermost body they come to is a product of macros. Where that may be more than compilers take quickly, the
// preprocessor asks. Only where C compilers translate: items of a GPU have no tile but in registers, which takes unrolled loops.
//
//   #if TILES_T * TILES_U <= 64
//   #pragma GCC unroll 64
//   #endif
//
// GCC 12 takes 0.1 s for a product with a tile of 4 x 4, 0.3 s for 8 x 8, 7 s for 16 x 16 and more than a minute for 64 x 64,
// whose elements are in registers of no processor.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <vector>

namespace tangram::codegen {

/// Copies of a body that are always asked for.
inline constexpr std::int64_t mostCopies = 64;

/// Condition, over literals and tunables that are macros, under which the copies of `loop` stay within `mostCopies`.
/// `around`: the unrolled loops around it, outermost first. Null: they always do; a literal: they never do.
ir::ExprPtr unrollCondition(const LoweredPlan &plan, const std::vector<const ir::Stmt *> &around,
                            const ir::Stmt &loop);

} // namespace tangram::codegen
