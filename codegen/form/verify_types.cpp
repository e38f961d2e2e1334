// Types of expressions: what C makes of the operands' types.
#include "codegen/form/verifier.h"
#include "codegen/form/verify_arrays.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string named(const Expr &e) { return toString(std::make_shared<const Expr>(e)); }

std::string mismatch(const Expr &e, Scalar expected) {
  return named(e) + " has type " + shortName(e.type.scalar) + ", its operands make it " +
         shortName(expected);
}

std::string ofBinary(const Expr &e) {
  const Scalar a = e.args[0]->type.scalar;
  const Scalar b = e.args[1]->type.scalar;
  Scalar expected = commonScalar(a, b);
  if (e.op.isComparison() || e.op.isLogic())
    expected = Scalar::Bool;
  else if (e.op.isShift())
    expected = commonScalar(a, a);
  const bool integersOnly = e.op.isShift() || e.op.isBitwise() || e.op == "%";
  if (integersOnly && (isFloating(a) || isFloating(b)))
    return named(e) + " is of floating point";
  return e.type.scalar == expected ? "" : mismatch(e, expected);
}

std::string ofUnary(const Expr &e) {
  const Scalar a = e.args[0]->type.scalar;
  const Scalar expected = e.op == "!" ? Scalar::Bool : commonScalar(a, a);
  return e.type.scalar == expected ? "" : mismatch(e, expected);
}

std::string ofSelect(const Expr &e) {
  const Scalar a = e.args[1]->type.scalar;
  const Scalar b = e.args[2]->type.scalar;
  const Scalar expected = a == b ? a : commonScalar(a, b);
  return e.type.scalar == expected ? "" : mismatch(e, expected);
}

std::string ofIndex(const Expr &e, const ArrayRanks *ranks) {
  if (e.args[0]->kind != ExprKind::Var)
    return named(e) + " is no element of an array";
  const std::size_t rank = ranks ? ranks->of(e.args[0]->var.get()) : 1;
  if (e.args.size() - 1 != rank)
    return named(e) + " has " + std::to_string(e.args.size() - 1) + " subscripts, expected " +
           (rank == 1 ? "one" : std::to_string(rank));
  if (!std::all_of(e.args.begin() + 1, e.args.end(),
                   [](const ExprPtr &each) { return isInteger(each->type.scalar); }))
    return "the subscript of " + named(e) + " is no integer";
  const Scalar element = e.args[0]->var->type.scalar;
  return e.type.scalar == element ? "" : mismatch(e, element);
}

std::string ofCall(const LoweredPlan &plan, const Expr &e) {
  auto helper = std::find_if(plan.functions.begin(), plan.functions.end(),
                             [&](const Function *f) { return f->name == e.callee; });
  if (helper == plan.functions.end())
    return "";
  if ((*helper)->params.size() != e.args.size())
    return named(e) + " has " + std::to_string(e.args.size()) + " arguments, expected " +
           std::to_string((*helper)->params.size());
  return (*helper)->result.scalar == e.type.scalar ? "" : mismatch(e, (*helper)->result.scalar);
}

std::string ofNode(const LoweredPlan &plan, const Expr &e, const ArrayRanks *ranks) {
  if (e.type.isContainer())
    return named(e) + " is a container";
  switch (e.kind) {
  case ExprKind::Literal:
  case ExprKind::Cast:
    return "";
  case ExprKind::Var:
    return e.type.scalar == e.var->type.scalar ? "" : mismatch(e, e.var->type.scalar);
  case ExprKind::Unary:
    return ofUnary(e);
  case ExprKind::Binary:
    return ofBinary(e);
  case ExprKind::Select:
    return ofSelect(e);
  case ExprKind::Index:
    return ofIndex(e, ranks);
  case ExprKind::Call:
    return ofCall(plan, e);
  case ExprKind::Atomic:
    return e.args[0]->kind == ExprKind::Index ? ""
                                              : named(e) + " is of something that is no element";
  default:
    return named(e) + " is for codelets only";
  }
}

} // namespace

std::string wrongType(const LoweredPlan &plan, const ExprPtr &e, const ArrayRanks *ranks) {
  std::string wrong;
  forEach(e, [&](const Expr &each) {
    if (wrong.empty())
      wrong = ofNode(plan, each, ranks);
  });
  return wrong;
}

} // namespace tangram::codegen
