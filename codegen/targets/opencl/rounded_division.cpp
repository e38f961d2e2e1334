#include "codegen/targets/opencl/rounded_division.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

bool dividesFloats(const StmtPtr &body) {
  bool divides = false;
  forEach(body, [&](const Stmt &s) {
    divides |= s.kind == StmtKind::Assign && s.op == "/=" && s.target->type.scalar == Scalar::F32;
  });
  forEachExpr(body, [&](const Expr &e) {
    divides |= e.type.scalar == Scalar::F32 &&
               (isBinary(e, "/") || (e.kind == ExprKind::Call && e.callee == "sqrt"));
  });
  return divides;
}

} // namespace

bool dividesFloats(const LoweredPlan &plan) {
  return dividesFloats(plan.body) || std::ranges::any_of(plan.functions, [](const Function *each) {
           return dividesFloats(each->body);
         });
}

} // namespace tangram::codegen
