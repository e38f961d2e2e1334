// Conditions of branches that may be left out, since the other branch does the same: the first one is only shorter.
#pragma once

#include "ir/expr.h"

namespace tangram::codegen {

/// `condition`, where the statement's second branch does what is to be done whether it holds or not. A target may always
/// go the long way.
inline ir::ExprPtr shortcut(const ir::ExprPtr &condition) {
  return ir::call("shortcut", ir::scalarType(ir::Scalar::Bool), {condition});
}

inline bool isShortcut(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Call && e.callee == "shortcut";
}

} // namespace tangram::codegen
