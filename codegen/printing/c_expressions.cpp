// The expressions of CPrinter: literals, operators, calls, and vectors of elements side by side.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/printing/c_printer.h"
#include "codegen/printing/rounding_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr int unaryLevel = 11;

/// Operators whose mixing with others readers get wrong: parenthesize them.
bool wantsParentheses(Operator inner, Operator outer) {
  auto bitwise = [](Operator op) { return op.isBitwise() || op.isShift(); };
  return inner != outer && (bitwise(inner) || bitwise(outer) || (inner == "&&" && outer == "||"));
}

} // namespace

std::string CPrinter::literal(const Expr &e) const {
  if (e.type.scalar == Scalar::Bool)
    return e.integer != 0 ? "true" : "false";
  if (e.type.scalar == Scalar::F128) { // no suffix of C's gives the double of these digits
    Expr narrow = e;
    narrow.type.scalar = Scalar::F64;
    return "(" + typeName(Scalar::F128) + ")" + literal(narrow);
  }
  if (isFloating(e.type.scalar)) {
    if (std::isnan(e.real))
      return "NAN";
    if (std::isinf(e.real))
      return e.real > 0 ? "INFINITY" : "-INFINITY";
    std::array<char, 40> buffer{};
    int digits = 1;
    do {
      std::snprintf(buffer.data(), buffer.size(), "%.*g", digits++, e.real);
    } while (digits <= 17 && std::strtod(buffer.data(), nullptr) != e.real);
    std::string text = buffer.data();
    if (text.find_first_of(".e") == std::string::npos)
      text += ".0";
    return e.type.scalar == Scalar::F32 ? text + "f" : text;
  }
  std::string text = std::to_string(e.integer);
  if (e.type.scalar == Scalar::I32 && e.integer == INT32_MIN)
    return "(-2147483647 - 1)";
  if (e.type.scalar == Scalar::I64 && e.integer == INT64_MIN)
    return "(-9223372036854775807L - 1)";
  if (e.type.scalar == Scalar::U64) {
    const auto value = static_cast<std::uint64_t>(e.integer);
    const std::uint64_t upper = value >> 32;
    const bool isMark =
        upper > 0 && upper < 0x10000 && value == upper << 32; // a word of two halves
    return isMark ? "(" + std::to_string(upper) + "UL << 32)" : std::to_string(value) + "UL";
  }
  if (e.type.scalar == Scalar::I64)
    return text + "L";
  if (e.type.scalar == Scalar::U32)
    return std::to_string(static_cast<std::uint32_t>(e.integer)) + "U";
  return text;
}

std::string CPrinter::numberFunction(const std::string &function, const Expr &call,
                                     const std::vector<std::string> &args) const {
  const Scalar from = call.kind == ExprKind::Cast ? call.args[0]->type.scalar : call.type.scalar;
  const NumberFunction called{function, call.type.scalar, from};
  numberFunctions_.insert(called);
  std::string text = tangram::codegen::nameOf(called) + "(";
  for (std::size_t i = 0; i < args.size(); ++i)
    text += (i == 0 ? "" : ", ") + args[i];
  return text + ")";
}

std::string CPrinter::roundingText(const Expr &call, const std::vector<std::string> &args) const {
  const Scalar type = call.type.scalar;
  // One definition has the functions for all operations.
  numberFunctions_.insert({roundingName("result", roundedType(call.callee)), type, type});
  return roundingFunction(call.callee, type) + "(" + args[0] + ", " + args[1] + ")";
}

std::string CPrinter::saturated(const Expr &cast, const std::string &operand) const {
  return numberFunction("", cast, {operand});
}

std::string CPrinter::vectorConversion(Scalar type, unsigned lanes,
                                       const std::string &operand) const {
  return "(" + vectorName(type, lanes) + ")" + operand;
}

std::string CPrinter::callText(const Expr &call, const std::vector<std::string> &args) const {
  if (isWrapping(call.callee))
    return numberFunction(call.callee, call, args);
  std::string text = call.callee + "(";
  for (std::size_t i = 0; i < args.size(); ++i)
    text += (i == 0 ? "" : ", ") + args[i];
  return text + ")";
}

std::string CPrinter::atomicName(const Expr &atomic) const { return "atomic_" + atomic.op.text(); }

namespace {

/// Whether C takes what stands there for an `int`: indexes are printed without a suffix.
bool isPrintedAsInt(const Expr &e) {
  if (e.kind == ExprKind::Select)
    return isPrintedAsInt(*e.args[1]) && isPrintedAsInt(*e.args[2]);
  return e.kind == ExprKind::Literal &&
         (e.type.scalar == Scalar::Index || e.type.scalar == Scalar::I32);
}

/// Whether it makes an integer of a number that no integer may be near.
bool isSaturating(const Expr &cast) {
  return isFloating(cast.args[0]->type.scalar) && isInteger(cast.type.scalar) &&
         cast.type.scalar != Scalar::Bool;
}

/// An operation on indexes of which none has a type of its own: 2 - 4 is a large number, and C would say -2.
bool needsIndexType(const Expr &operation) {
  return std::ranges::all_of(operation.args,
                             [](const ExprPtr &arg) { return isPrintedAsInt(*arg); }) &&
         std::ranges::any_of(operation.args,
                             [](const ExprPtr &arg) { return arg->type.scalar == Scalar::Index; });
}

} // namespace

std::string CPrinter::expression(const ExprPtr &e, int context) const {
  const Text own = textOf(e);
  return own.level < context ? "(" + own.text + ")" : own.text;
}

CPrinter::Text CPrinter::textOf(const ExprPtr &e) const {
  constexpr int primary = unaryLevel + 1;
  switch (e->kind) {
  case ExprKind::Literal: {
    const std::string text = literal(*e);
    return {text, text.front() == '-' ? unaryLevel : primary};
  }
  case ExprKind::Var:
    return {nameOf(e->var.get()), primary};
  case ExprKind::Unary: {
    const std::string operand = expression(e->args[0], unaryLevel);
    const std::string op = e->op == "!" && isVector(*e) ? "~" : e->op.text();
    return {op + (operand.front() == op.front() ? " " : "") + operand, unaryLevel};
  }
  case ExprKind::Binary:
    return binaryText(*e);
  case ExprKind::Select:
    return selectText(*e);
  case ExprKind::Cast:
    return castText(*e);
  case ExprKind::Index:
    if (isVector(*e))
      return {vectorLoad(*e->args[0]->var, firstOfVector(e), lanes_), unaryLevel};
    return {elementText(*e), primary};
  case ExprKind::Atomic:
    return {atomicText(*e), primary};
  default:
    return {otherText(*e), primary};
  }
}

CPrinter::Text CPrinter::binaryText(const Expr &e) const {
  if (const std::string function = operatorFunction(e); !function.empty())
    return {function + "(" + expression(e.args[0]) + ", " + expression(e.args[1]) + ")",
            unaryLevel + 1};
  if (isVector(e) && e.op.isLogic()) // of masks
    return {"(" + expression(e.args[0]) + ") " + e.op.text()[0] + " (" + expression(e.args[1]) +
                ")",
            (e.op == "&&" ? Operator("&") : Operator("|")).precedence()};
  const int level = e.op.precedence();
  const auto operand = [&](std::size_t i, int at) {
    const std::string inner = expression(e.args[i], at);
    const bool binary = e.args[i]->kind == ExprKind::Binary && e.args[i]->op.precedence() >= at;
    return binary && wantsParentheses(e.args[i]->op, e.op) ? "(" + inner + ")" : inner;
  };
  const std::string first =
      needsIndexType(e) ? "(" + typeName(Scalar::Index) + ")" + expression(e.args[0], unaryLevel)
                        : operand(0, level);
  return {first + " " + e.op.text() + " " + operand(1, level + 1), level};
}

CPrinter::Text CPrinter::selectText(const Expr &e) const {
  if (isVector(*e.args[0]))
    return {selecting(e.type.scalar, lanes_) + "(" + expression(e.args[0], 0) + ", " +
                vectorText(e.args[1]) + ", " + vectorText(e.args[2]) + ")",
            unaryLevel + 1};
  const std::string condition = expression(e.args[0], 1) + " ? ";
  if (isVector(e))
    return {condition + vectorText(e.args[1]) + " : " + vectorText(e.args[2]), 0};
  return {condition + expression(e.args[1], 1) + " : " + expression(e.args[2], 0), 0};
}

CPrinter::Text CPrinter::castText(const Expr &e) const {
  if (isVector(e))
    return {vectorConversion(e.type.scalar, lanes_, expression(e.args[0], unaryLevel)), unaryLevel};
  if (isSaturating(e))
    return {saturated(e, expression(e.args[0])), unaryLevel};
  return {"(" + typeName(e.type.scalar) + ")" + expression(e.args[0], unaryLevel), unaryLevel};
}

std::string CPrinter::atomicText(const Expr &e) const {
  std::string text = atomicName(e) + "(&" + expression(e.args[0], unaryLevel);
  for (std::size_t i = 1; i < e.args.size(); ++i)
    text += ", " + expression(e.args[i], 0);
  return text + ")";
}

std::string CPrinter::otherText(const Expr &e) const {
  std::vector<std::string> args;
  for (const ExprPtr &arg : e.args)
    args.push_back(expression(arg, 0));
  return e.kind == ExprKind::Call && isRounding(e.callee) ? roundingText(e, args)
                                                          : callText(e, args);
}

std::string CPrinter::below(const std::string &name, const ExprPtr &e) const {
  return name + " < " + expression(e, Operator("<").precedence() + 1);
}

std::string CPrinter::elementText(const Expr &element) const {
  std::string text = expression(element.args[0], unaryLevel + 1);
  for (std::size_t i = 1; i < element.args.size(); ++i)
    text += "[" + expression(element.args[i], 0) + "]";
  return text;
}

std::string CPrinter::vectorLoad(const Var &array, const std::string &first, unsigned lanes) const {
  return "*(" + vectorName(array.type.scalar, lanes) + " *)&" + first;
}

std::string CPrinter::vectorStore(const Var &array, const std::string &first, unsigned lanes,
                                  Operator op, const std::string &value) const {
  return vectorLoad(array, first, lanes) + " " + op.text() + " " + value;
}

std::string CPrinter::extent(const ExprPtr &e) const {
  return expression(rewrite(e, [](const ExprPtr &each) -> ExprPtr {
    const bool isMin = each->kind == ExprKind::Call && each->callee == "min";
    const bool isMax = each->kind == ExprKind::Call && each->callee == "max";
    if (!isMin && !isMax)
      return each;
    const ExprPtr &a = each->args[0];
    const ExprPtr &b = each->args[1];
    return select(binary(isMin ? ir::Operator("<") : ir::Operator(">"), a, b), a, b);
  }));
}

std::string CPrinter::vectorName(Scalar type, unsigned lanes) const {
  std::string name = typeName(type) + std::to_string(lanes);
  std::ranges::replace(name, ' ', '_');
  return name;
}

bool CPrinter::isVector(const Expr &e) const {
  return lanes_ > 1 && std::ranges::any_of(e.args, [&](const ExprPtr &arg) {
           return contains(arg, [&](const Expr &each) { return each.var == lane_; });
         });
}

/// The first element of a vector. Where the loop of its elements has one round, it has no counter.
std::string CPrinter::firstOfVector(const ExprPtr &e) const {
  if (!isOneVector_)
    return elementText(*e);
  return elementText(*algebra::simplify(substitute(e, {{lane_.get(), intLiteral(0)}})));
}

/// Broadcasts a scalar to a vector by subtracting a vector of zeros: x - 0 is x, also for -0.
std::string CPrinter::vectorText(const ExprPtr &e) const {
  if (isVector(*e))
    return expression(e);
  return expression(e, Operator("-").precedence()) + " - (" + vectorName(e->type.scalar, lanes_) +
         "){0}";
}

std::string CPrinter::selecting(Scalar type, unsigned lanes) const {
  return "select_" + vectorName(type, lanes);
}

} // namespace tangram::codegen
