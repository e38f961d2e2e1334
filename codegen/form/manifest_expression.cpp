#include "codegen/form/manifest_expression.h"

#include "ir/type.h"

#include <algorithm>
#include <array>

namespace tangram::codegen {

using namespace ir;

namespace {

Scalar sized(Scalar type) { return type == Scalar::Index ? Scalar::U64 : type; }

/// Whether every value of one integer type is one of the other.
bool holds(Scalar wide, Scalar narrow) {
  wide = sized(wide);
  narrow = sized(narrow);
  if (wide == narrow || narrow == Scalar::Bool)
    return true;
  if (wide == Scalar::Bool || (isSigned(narrow) && !isSigned(wide)))
    return false;
  const std::size_t more = isSigned(wide) && !isSigned(narrow) ? 1 : 0;
  return byteSize(wide) >= byteSize(narrow) + more;
}

/// A difference of signed numbers, as a sum.
ExprPtr sumOfNegative(const Expr &difference) {
  ExprPtr negative = unary("-", difference.args[1]);
  auto sum = std::make_shared<Expr>(difference);
  sum->op = "+";
  sum->args = {difference.args[0], negative};
  return sum;
}

/// Whether it shows that `e` is not below 0.
bool isNeverNegative(const Expr &e) {
  auto isSuch = [](const ExprPtr &operand) { return isNeverNegative(*operand); };
  if (!isSigned(e.type.scalar))
    return true;
  if (e.kind == ExprKind::Literal)
    return e.integer >= 0;
  if (e.kind == ExprKind::Cast)
    return holds(e.type.scalar, e.args[0]->type.scalar) && isSuch(e.args[0]);
  if (e.kind == ExprKind::Select)
    return isSuch(e.args[1]) && isSuch(e.args[2]);
  if (e.kind == ExprKind::Call && e.callee == "max")
    return std::ranges::any_of(e.args, isSuch);
  const bool keepsSign = e.kind == ExprKind::Binary
                             ? e.op == "+" || e.op == "*" || e.op == "/" || e.op == "%"
                             : e.kind == ExprKind::Call && e.callee == "min";
  return keepsSign && std::ranges::all_of(e.args, isSuch);
}

bool isNegation(const Expr &e) { return e.kind == ExprKind::Unary && e.op == "-"; }

bool isLinked(const Expr &e) {
  return e.kind == ExprKind::Binary && (e.op == "+" || e.op == "-" || e.op == "*");
}

/// Whether `e` is spelled as a conversion to this type.
bool isConversionTo(const Expr &e, Scalar type) {
  return e.kind == ExprKind::Call && e.args.size() == 1 && e.callee == shortName(sized(type));
}

/// A sum, difference or product of unsigned numbers that C takes to 32 bits, or in which something below 0 became a
/// large number: exact, and converted then.
ExprPtr wrapped(const ExprPtr &e) {
  const Scalar type = e->type.scalar;
  const auto isConverted = [&](const ExprPtr &operand) { return isConversionTo(*operand, type); };
  if (isSigned(type) || type == Scalar::Bool ||
      (byteSize(type) == 8 && std::ranges::none_of(e->args, isConverted)))
    return e;
  // Products of many numbers need conversions in between.
  const auto isLong = [&](const Expr &sum) { return e->op == "*" && sum.kind == ExprKind::Binary; };
  std::vector<ExprPtr> args;
  for (const ExprPtr &each : e->args)
    args.push_back(isConverted(each) && !isLong(*each->args[0]) ? each->args[0] : each);
  const bool isDifference = e->op == "-";
  if (isDifference)
    args[1] = unary("-", args[1]);
  return call(shortName(sized(type)), e->type,
              {binary(isDifference ? Operator("+") : e->op, args[0], args[1])});
}

/// `e` with nothing in it but what manifests have.
ExprPtr spelled(const ExprPtr &e) {
  return rewrite(e, [](const ExprPtr &each) -> ExprPtr {
    const Scalar type = each->type.scalar;
    switch (each->kind) {
    case ExprKind::Literal:
      return type == Scalar::Bool ? intLiteral(each->integer, Scalar::I32) : each;
    case ExprKind::Cast: {
      const Scalar from = each->args[0]->type.scalar;
      if (holds(type, from) || (type == Scalar::Index && isNeverNegative(*each->args[0])))
        return each->args[0];
      return call(shortName(sized(type)), each->type, {each->args[0]});
    }
    case ExprKind::Binary:
      if (isLinked(*each) && isInteger(type) && !isSigned(type))
        return wrapped(each);
      return each->op == "-" && isSigned(type) ? sumOfNegative(*each) : each;
    case ExprKind::Unary:
      if (each->op == "~") // -1 - x, as C converts it
        return call(shortName(sized(type)), each->type,
                    {binary("+", intLiteral(-1, Scalar::I64), unary("-", each->args[0]))});
      if (isNegation(*each) && !isSigned(type) && type != Scalar::Index && type != Scalar::Bool)
        return call(shortName(type), each->type, {each});
      return each;
    default:
      return each;
    }
  });
}

} // namespace

std::string manifestText(const ExprPtr &e) { return toString(spelled(e)); }

bool convertsNegative(const Expr &e) {
  return e.kind == ExprKind::Cast && isInteger(e.args[0]->type.scalar) &&
         !isSigned(e.type.scalar) && e.type.scalar != Scalar::Bool && !isNeverNegative(*e.args[0]);
}

std::optional<std::string> unwritable(const ExprPtr &e) {
  static constexpr std::array words{"min", "max", "even_parts"};
  std::optional<std::string> why;
  forEach(e, [&](const Expr &part) {
    if (why)
      return;
    if (isFloating(part.type.scalar))
      why = toString(e) + " is about floating-point values";
    else if (part.kind == ExprKind::Index || part.kind == ExprKind::Atomic)
      why = toString(e) + " reads an element";
    else if (part.kind == ExprKind::Call &&
             std::find(words.begin(), words.end(), part.callee) == words.end())
      why = toString(e) + " calls " + part.callee;
  });
  return why;
}

} // namespace tangram::codegen
