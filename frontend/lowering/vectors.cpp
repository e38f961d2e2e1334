// Vectors: components, operators component by component, and what makes vectors.
#include "frontend/lowering/constants.h"
#include "frontend/lowering/lowering.h"
#include "frontend/lowering/types.h"
#include "frontend/vectors/components.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

bool isVector(clang::QualType type) { return languageClass(type) == LanguageClass::Vector; }

} // namespace

bool isVectorOperation(const clang::CXXOperatorCallExpr &e) {
  return std::any_of(e.arg_begin(), e.arg_end(),
                     [](const clang::Expr *argument) { return isVector(argument->getType()); }) &&
         e.getOperator() != clang::OO_Subscript;
}

/// `a.x`; null, and nothing said, where `e` is no component of a vector.
ir::ExprPtr FunctionLowering::component(const clang::MemberExpr &e) {
  const ir::ExprPtr vector = expression(e.getBase());
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(e.getMemberDecl());
  if (!vector || field == nullptr)
    return nullptr;
  return componentOf(vector, field->getFieldIndex(), at(e.getSourceRange()));
}

bool FunctionLowering::isVectorComponent(const clang::MemberExpr &e) const {
  return isVector(e.getBase()->getType());
}

/// An operator that gives a value.
ir::ExprPtr FunctionLowering::vectorOperation(const clang::CXXOperatorCallExpr &e) {
  const ir::SourceLocation place = at(e.getSourceRange());
  if (e.isAssignmentOp())
    return unsupported(e.getSourceRange(), "assignment used as a value");
  std::vector<ir::ExprPtr> operands;
  for (const clang::Expr *argument : e.arguments()) {
    operands.push_back(expression(argument));
    if (!operands.back())
      return nullptr;
  }
  const auto op = ir::Operator::named(clang::getOperatorSpelling(e.getOperator()));
  if (op && op->isComparison()) {
    file.error(place, "vectors are not compared as wholes: compare their components, 'a.x " +
                          op->text() + " b.x'");
    return nullptr;
  }
  if (!op || op->empty())
    return unsupported(e.getSourceRange(), "operator of a class");
  const ir::Scalar type = typeOf(file.ast, e.getType())->scalar;
  for (ir::ExprPtr &operand : operands)
    operand = convert(operand, type);
  return operands.size() == 1 ? ir::unary(*op, operands[0], place)
                              : ir::binary(*op, operands[0], operands[1], place);
}

/// `a = b`, `a += b`, `a *= s`
void FunctionLowering::vectorAssignment(const clang::CXXOperatorCallExpr &e, Stmts &into) {
  const ir::ExprPtr target = assignable(e.getArg(0));
  const ir::ExprPtr value = expression(e.getArg(1));
  if (target && value)
    into.push_back(
        ir::assign(target, ir::Operator::named(clang::getOperatorSpelling(e.getOperator())).value(),
                   convert(value, target->type.scalar), at(e.getSourceRange())));
}

/// `float4(x, y, z, w)`, `float4(all)`, or a copy.
ir::ExprPtr FunctionLowering::vectorConstruction(const clang::CXXConstructExpr &e) {
  if (e.getConstructor()->isCopyOrMoveConstructor())
    return expression(e.getArg(0));
  const auto type = typeOf(file.ast, e.getType().getUnqualifiedType());
  std::vector<ir::ExprPtr> components;
  for (const clang::Expr *argument : e.arguments()) {
    const ir::ExprPtr value = expression(argument);
    if (!value)
      return nullptr;
    components.push_back(convert(value, type->scalar));
  }
  if (components.empty()) // float4()
    components.push_back(
        convert(integerAt(0, ir::Scalar::I32, at(e.getSourceRange())), type->scalar));
  return vectorOf(*type, std::move(components), at(e.getSourceRange()));
}

/// make_float4(x, y, z, w), dot(a, b), length(a)
ir::ExprPtr FunctionLowering::vectorCall(const clang::CallExpr &e, const std::string &name) {
  const ir::SourceLocation place = at(e.getSourceRange());
  const auto type = typeOf(file.ast, e.getType());
  std::vector<ir::ExprPtr> args;
  for (const clang::Expr *argument : e.arguments()) {
    const ir::ExprPtr value = expression(argument);
    if (!value)
      return nullptr;
    args.push_back(convert(value, type->scalar));
  }
  if (type->lanes > 1)
    return vectorOf(*type, std::move(args), place);
  if (name == "length" && !ir::isFloating(type->scalar)) {
    file.error(place, "'length' works on vectors of float and double, not on '" +
                          ir::spelling(args[0]->type) + "'");
    return nullptr;
  }
  ir::ExprPtr sum;
  for (unsigned k = 0; k < args[0]->type.lanes; ++k) {
    const ir::ExprPtr product =
        ir::binary("*", componentOf(args[0], k, place), componentOf(args.back(), k, place), place);
    sum = sum ? ir::binary("+", sum, product, place) : product;
  }
  return name == "length" ? ir::call("sqrt", ir::scalarType(type->scalar), {sum}, place) : sum;
}

bool FunctionLowering::isVectorFunction(const clang::FunctionDecl &callee) const {
  if (!inLanguage(&callee) || !callee.getDeclName().isIdentifier())
    return false;
  const llvm::StringRef name = callee.getName();
  return name.starts_with("make_") || name == "dot" || name == "length";
}

/// A constant of a vector's type that is declared outside of functions; null where `e` is none.
ir::ExprPtr FunctionLowering::vectorConstant(const clang::Expr &e) {
  const auto type = typeOf(file.ast, e.getType());
  clang::Expr::EvalResult result;
  if (!type || type->lanes == 1 || type->isContainer() || e.isValueDependent() ||
      !e.EvaluateAsRValue(result, file.ast) || !result.Val.isStruct())
    return nullptr;
  const ir::SourceLocation place = at(e.getSourceRange());
  std::vector<ir::ExprPtr> components;
  for (unsigned k = 0; k < type->lanes; ++k) {
    const clang::APValue &value = result.Val.getStructField(k);
    components.push_back(
        value.isFloat()
            ? realAt(value.getFloat().convertToDouble(), type->scalar, place)
            : integerAt(static_cast<std::int64_t>(value.getInt().extOrTrunc(64).getZExtValue()),
                        type->scalar, place));
  }
  return vectorOf(*type, std::move(components), place);
}

} // namespace tangram::frontend
