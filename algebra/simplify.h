// Algebraic simplification of index expressions, with ranges (the pass LIFT
// calls index simplification, CGO'17 section 5.3). The rules that need ranges are in
// algebra/simplify_ranges.h.
#pragma once

#include "algebra/proofs.h"
#include "ir/stmt.h"

#include <memory>
#include <utility>
#include <vector>

namespace tangram::algebra {

/// What is known of variables. In the order given, so that a proof found once is found again.
struct Facts {
  std::vector<std::pair<ir::VarPtr, ir::ExprPtr>> below = {}; ///< var < expression
  std::vector<ir::VarPtr> positive = {};                      ///< var >= 1
  std::shared_ptr<Proofs> proofs = nullptr; ///< what others asked; null: nobody did
};

/// Same value for every run in which `facts` hold; never longer. Index arithmetic is that of the
/// whole numbers where an operand of a comparison, a quotient, a minimum or a maximum is concerned:
/// it does not exceed 64 bits, which widened index variables guarantee, and a difference that may
/// be below 0 is not looked into.
ir::ExprPtr simplify(const ir::ExprPtr &e, const Facts &facts = {});

/// Every expression of `s` simplified, with what the statements around it say: an index of a
/// Parallel is below its count, one of a loop within its ends, a constant is what it was defined
/// as, a condition holds in its branch. Branches whose condition became constant are resolved.
ir::StmtPtr simplify(const ir::StmtPtr &s, const Facts &facts = {});

// Makers that fold on the spot.
ir::ExprPtr add(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr sub(ir::ExprPtr a, ir::ExprPtr b); ///< the caller knows that a >= b
ir::ExprPtr mul(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr ceilDiv(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr minOf(ir::ExprPtr a, ir::ExprPtr b);
ir::ExprPtr maxOf(ir::ExprPtr a, ir::ExprPtr b);

} // namespace tangram::algebra
