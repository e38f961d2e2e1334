#include "ir/swap.h"

namespace tangram::ir {

namespace {

constexpr const char *callee = "swap containers";

} // namespace

StmtPtr swapOf(ExprPtr a, ExprPtr b, SourceLocation at) {
  return eval(call(callee, scalarType(Scalar::Void), {std::move(a), std::move(b)}, at), at);
}

bool isSwap(const Stmt &s) {
  return s.kind == StmtKind::Eval && s.value->kind == ExprKind::Call && s.value->callee == callee;
}

} // namespace tangram::ir
