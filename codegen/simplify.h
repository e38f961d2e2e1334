// Algebraic simplification of index expressions, with ranges (the pass LIFT
// calls index simplification, CGO'17 section 5.3).
#pragma once

#include "ir/stmt.h"

#include <unordered_map>

namespace tangram::codegen {

/// What is known of variables: value < bound (for worker indexes), or value >= 1 (for counts).
struct Facts {
  std::unordered_map<const ir::Var *, ir::ExprPtr> below; ///< var < expression
  std::unordered_map<const ir::Var *, bool> positive;     ///< var >= 1
};

/// Same value for every run in which `facts` hold; never longer. Index arithmetic
/// is treated as exact (no wrap-around), which widened index variables guarantee.
ir::ExprPtr simplify(const ir::ExprPtr &e, const Facts &facts = {});

/// Every expression of `s` simplified, with each Parallel's index known to be below
/// its count; branches whose condition became constant are resolved.
ir::StmtPtr simplify(const ir::StmtPtr &s, const Facts &facts = {});

// Makers that fold on the spot.
ir::ExprPtr add(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr sub(ir::ExprPtr a, ir::ExprPtr b); ///< the caller knows that a >= b
ir::ExprPtr mul(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr ceilDiv(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr minOf(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr maxOf(ir::ExprPtr a, ir::ExprPtr b);

} // namespace tangram::codegen
