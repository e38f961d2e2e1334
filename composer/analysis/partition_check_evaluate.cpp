#include "composer/analysis/partition_check_evaluate.h"

namespace tangram::composer {

namespace {

using Value = std::optional<std::int64_t>;

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

Value compare(ir::Operator op, std::int64_t a, std::int64_t b, bool isSigned) {
  bool less = isSigned ? a < b : bits(a) < bits(b);
  if (op == "<")
    return less;
  if (op == ">=")
    return !less;
  if (op == "<=")
    return less || a == b;
  if (op == ">")
    return !less && a != b;
  if (op == "==")
    return a == b;
  if (op == "!=")
    return a != b;
  return std::nullopt;
}

/// Division and remainder; none by zero, and none where C++ leaves it undefined.
Value divide(ir::Operator op, std::int64_t a, std::int64_t b, bool isSigned) {
  if (b == 0 || (isSigned && b == -1 && a == INT64_MIN))
    return std::nullopt;
  if (isSigned)
    return op == "/" ? a / b : a % b;
  return static_cast<std::int64_t>(op == "/" ? bits(a) / bits(b) : bits(a) % bits(b));
}

Value shift(ir::Operator op, std::int64_t a, std::int64_t b, bool isSigned) {
  if (b < 0 || b > 63)
    return std::nullopt;
  if (op == "<<")
    return static_cast<std::int64_t>(bits(a) << b);
  return isSigned ? a >> b : static_cast<std::int64_t>(bits(a) >> b);
}

Value arithmetic(ir::Operator op, std::int64_t a, std::int64_t b, bool isSigned) {
  // Wraps in 64 bits; the caller converts to the type of the node.
  if (op == "+")
    return static_cast<std::int64_t>(bits(a) + bits(b));
  if (op == "-")
    return static_cast<std::int64_t>(bits(a) - bits(b));
  if (op == "*")
    return static_cast<std::int64_t>(bits(a) * bits(b));
  if (op == "/" || op == "%")
    return divide(op, a, b, isSigned);
  if (op == "&")
    return a & b;
  if (op == "|")
    return a | b;
  if (op == "^")
    return a ^ b;
  return std::nullopt;
}

Value logic(const ir::Expr &e, const Environment &environment) {
  Value a = evaluate(e.args[0], environment);
  if (!a)
    return std::nullopt;
  if ((*a != 0) == (e.op == "||"))
    return *a != 0;
  Value b = evaluate(e.args[1], environment);
  return b ? Value(*b != 0) : std::nullopt;
}

Value binary(const ir::Expr &e, const Environment &environment) {
  if (e.op == "&&" || e.op == "||")
    return logic(e, environment);
  Value a = evaluate(e.args[0], environment);
  Value b = evaluate(e.args[1], environment);
  if (!a || !b)
    return std::nullopt;
  ir::Scalar left = e.args[0]->type.scalar;
  if (e.op == "<<" || e.op == ">>")
    return shift(e.op, *a, *b, ir::isSigned(left));
  ir::Scalar common = ir::commonScalar(left, e.args[1]->type.scalar);
  a = convertedTo(common, *a);
  b = convertedTo(common, *b);
  if (Value result = compare(e.op, *a, *b, ir::isSigned(common)))
    return result;
  return arithmetic(e.op, *a, *b, ir::isSigned(common));
}

Value unary(const ir::Expr &e, const Environment &environment) {
  Value a = evaluate(e.args[0], environment);
  if (!a)
    return std::nullopt;
  if (e.op == "-")
    return static_cast<std::int64_t>(0 - bits(*a));
  if (e.op == "!")
    return *a == 0;
  if (e.op == "~")
    return ~*a;
  return a;
}

Value minOrMax(const ir::Expr &e, const Environment &environment) {
  if ((e.callee != "min" && e.callee != "max") || e.args.size() != 2)
    return std::nullopt;
  Value a = evaluate(e.args[0], environment);
  Value b = evaluate(e.args[1], environment);
  if (!a || !b)
    return std::nullopt;
  a = convertedTo(e.type.scalar, *a);
  b = convertedTo(e.type.scalar, *b);
  bool less = compare("<", *a, *b, ir::isSigned(e.type.scalar)) == Value(1);
  return less == (e.callee == "min") ? a : b;
}

Value size(const ir::Expr &e, const Environment &environment) {
  if (e.args[0]->kind != ir::ExprKind::Var)
    return std::nullopt;
  auto found = environment.sizes.find({e.args[0]->var.get(), e.integer});
  return found == environment.sizes.end() ? Value() : found->second;
}

Value valueOf(const ir::Expr &e, const Environment &environment) {
  switch (e.kind) {
  case ir::ExprKind::Literal:
    return e.integer;
  case ir::ExprKind::Var: {
    auto found = environment.variables.find(e.var.get());
    return found == environment.variables.end() ? Value() : found->second;
  }
  case ir::ExprKind::Unary:
    return unary(e, environment);
  case ir::ExprKind::Binary:
    return binary(e, environment);
  case ir::ExprKind::Select: {
    Value condition = evaluate(e.args[0], environment);
    return condition ? evaluate(e.args[*condition != 0 ? 1 : 2], environment) : condition;
  }
  case ir::ExprKind::Cast:
    return evaluate(e.args[0], environment);
  case ir::ExprKind::Call:
    return minOrMax(e, environment);
  case ir::ExprKind::Size:
    return size(e, environment);
  case ir::ExprKind::CoopDim:
    return environment.coopDim;
  case ir::ExprKind::CoopIdx:
    return environment.coopIdx;
  default:
    return std::nullopt;
  }
}

} // namespace

std::int64_t convertedTo(ir::Scalar type, std::int64_t value) {
  switch (type) {
  case ir::Scalar::Bool:
    return value != 0;
  case ir::Scalar::I8:
    return static_cast<std::int8_t>(value);
  case ir::Scalar::U8:
    return static_cast<std::uint8_t>(value);
  case ir::Scalar::I16:
    return static_cast<std::int16_t>(value);
  case ir::Scalar::U16:
    return static_cast<std::uint16_t>(value);
  case ir::Scalar::I32:
    return static_cast<std::int32_t>(value);
  case ir::Scalar::U32:
    return static_cast<std::uint32_t>(value);
  default:
    return value;
  }
}

std::optional<std::int64_t> evaluate(const ir::ExprPtr &e, const Environment &environment) {
  if (!e || e->type.isContainer() || !ir::isInteger(e->type.scalar))
    return std::nullopt;
  Value value = valueOf(*e, environment);
  return value ? Value(convertedTo(e->type.scalar, *value)) : value;
}

} // namespace tangram::composer
