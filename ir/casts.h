// What is converted, whatever to.
#pragma once

#include "ir/expr.h"

namespace tangram::ir {

inline const Expr &withoutCasts(const Expr &e) {
  return e.kind == ExprKind::Cast ? withoutCasts(*e.args[0]) : e;
}

inline const ExprPtr &withoutCasts(const ExprPtr &e) {
  return e->kind == ExprKind::Cast ? withoutCasts(e->args[0]) : e;
}

} // namespace tangram::ir
