#include "frontend/lowering/constants.h"

#include "frontend/lowering/types.h"
#include "ir/checked_arithmetic.h"
#include "ir/large_literal.h"

namespace tangram::frontend {

namespace {

using ir::Scalar;

/// `value` reduced to the range of `type`, as C++ converts integers.
std::int64_t wrap(std::int64_t value, Scalar type) {
  switch (type) {
  case Scalar::Bool:
    return value != 0 ? 1 : 0;
  case Scalar::I8:
    return static_cast<std::int8_t>(value);
  case Scalar::U8:
    return static_cast<std::uint8_t>(value);
  case Scalar::I16:
    return static_cast<std::int16_t>(value);
  case Scalar::U16:
    return static_cast<std::uint16_t>(value);
  case Scalar::I32:
    return static_cast<std::int32_t>(value);
  case Scalar::U32:
    return static_cast<std::uint32_t>(value);
  default:
    return value;
  }
}

/// Whether every value of integer type `from` is one of `to`.
bool holds(Scalar to, Scalar from) {
  if (from == Scalar::Bool)
    return true;
  if (ir::isSigned(from))
    return ir::isSigned(to) && ir::byteSize(to) >= ir::byteSize(from);
  return ir::byteSize(to) > ir::byteSize(from) ||
         (!ir::isSigned(to) && ir::byteSize(to) == ir::byteSize(from));
}

double realValue(const ir::Expr &literal) {
  if (ir::isFloating(literal.type.scalar))
    return literal.real;
  bool isWide = literal.type.scalar == Scalar::U64 || literal.type.scalar == Scalar::Index;
  return isWide ? static_cast<double>(static_cast<std::uint64_t>(literal.integer))
                : static_cast<double>(literal.integer);
}

ir::ExprPtr convertLiteral(const ir::ExprPtr &literal, Scalar to) {
  if (ir::isFloating(to)) {
    double value = realValue(*literal);
    return realAt(to == Scalar::F32 ? static_cast<float>(value) : value, to, literal->location);
  }
  if (ir::isFloating(literal->type.scalar))
    return nullptr;
  if (to == Scalar::Index && ir::isAboveSigned(*literal))
    return nullptr; // numbers of indexes below 0 are what they say
  return integerAt(wrap(literal->integer, to), to, literal->location);
}

ir::ExprPtr zero(Scalar type, const ir::SourceLocation &at) {
  return ir::isFloating(type) ? realAt(0, type, at) : integerAt(0, type, at);
}

} // namespace

ir::ExprPtr integerAt(std::int64_t value, Scalar type, ir::SourceLocation at) {
  ir::Expr literal = *ir::intLiteral(value, type);
  literal.location = std::move(at);
  return std::make_shared<const ir::Expr>(std::move(literal));
}

ir::ExprPtr realAt(double value, Scalar type, ir::SourceLocation at) {
  ir::Expr literal = *ir::realLiteral(value, type);
  literal.location = std::move(at);
  return std::make_shared<const ir::Expr>(std::move(literal));
}

ir::ExprPtr convert(const ir::ExprPtr &e, Scalar to) {
  Scalar from = e->type.scalar;
  if (from == to || e->type.isContainer())
    return e;
  if (e->kind == ir::ExprKind::Literal) {
    if (ir::ExprPtr literal = convertLiteral(e, to))
      return literal;
  }
  if (to == Scalar::Bool)
    return ir::binary("!=", e, zero(from, e->location), e->location);
  if (ir::isInteger(from) && ir::isInteger(to) && holds(to, from))
    return e;
  return ir::cast(to, e, e->location);
}

std::optional<std::int64_t> integerConstant(const clang::ASTContext &ast, const clang::Expr *e) {
  if (e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  clang::Expr::EvalResult result;
  if (!e->EvaluateAsInt(result, ast) || result.HasSideEffects)
    return std::nullopt;
  return static_cast<std::int64_t>(result.Val.getInt().extOrTrunc(64).getZExtValue());
}

ir::ExprPtr foldConstant(const clang::ASTContext &ast, const clang::Expr *e,
                         ir::SourceLocation at) {
  auto type = typeOf(ast, e->getType());
  if (e->isValueDependent() || !type || type->isContainer() || type->scalar == Scalar::Void)
    return nullptr;
  clang::Expr::EvalResult result;
  if (!e->EvaluateAsRValue(result, ast) || result.HasSideEffects)
    return nullptr;
  if (result.Val.isInt()) {
    llvm::APSInt value = result.Val.getInt().extOrTrunc(64);
    return integerAt(static_cast<std::int64_t>(value.getZExtValue()), type->scalar, std::move(at));
  }
  if (result.Val.isFloat())
    return realAt(result.Val.getFloat().convertToDouble(), type->scalar, std::move(at));
  return nullptr;
}

ir::ExprPtr product(const ir::ExprPtr &a, const ir::ExprPtr &b, ir::SourceLocation at) {
  const auto x = ir::literalValue(a), y = ir::literalValue(b);
  const auto whole = x && y ? ir::checkedProduct(*x, *y) : std::nullopt;
  return whole ? integerAt(*whole, Scalar::Index, at)
               : ir::binary("*", convert(a, Scalar::Index), convert(b, Scalar::Index), at);
}

} // namespace tangram::frontend
