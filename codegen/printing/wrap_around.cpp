#include "codegen/printing/wrap_around.h"

#include "codegen/analysis/integer_ranges.h"
#include "codegen/printing/number_functions.h"
#include "codegen/printing/unsigned_sums.h"

#include <limits>
#include <map>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Whether operations have this type and may overflow in it: smaller ones are promoted.
bool isWrappable(Scalar type) { return type == Scalar::I32 || type == Scalar::I64; }

Scalar withoutSign(Scalar type) { return type == Scalar::I64 ? Scalar::U64 : Scalar::U32; }

bool isIntegerType(Scalar type) { return isInteger(type) && type != Scalar::Bool; }

/// Operators whose result has the same bits with and without a sign.
bool keepsBits(const Expr &e) {
  if (e.kind == ExprKind::Unary)
    return e.op == "-" || e.op == "+" || e.op == "~";
  return e.kind == ExprKind::Binary && (e.op == "+" || e.op == "-" || e.op == "*" || e.op == "<<" ||
                                        e.op == "&" || e.op == "|" || e.op == "^");
}

class WrapAround {
public:
  WrapAround(const StmtPtr &body, Dialect dialect) : ranges_(body), dialect_(dialect) {}

  StmtPtr statement(const StmtPtr &s) {
    if (!s)
      return s;
    auto copy = std::make_shared<Stmt>(*s);
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      const bool isVectors = s->kind == StmtKind::For && s->lanes > 1 && i == 2;
      const bool outside = std::exchange(inVectors_, inVectors_ || isVectors);
      copy->children[i] = statement(s->children[i]);
      inVectors_ = outside;
    }
    if (s->kind == StmtKind::Assign)
      assignment(*copy);
    else if (s->value)
      copy->value = isLoop(*s) ? question(*s) : of(s->value);
    if (s->kind == StmtKind::Decl && s->value && !s->var->type.isContainer())
      copy->value = converted(copy->value, s->var->type.scalar);
    return copy;
  }

  /// Whether what a compound assignment makes may be beyond its type.
  bool sumMayWrap(const Stmt &s) const {
    const ExprPtr whole = binary(s.op.withoutAssignment(), s.target, s.value);
    const bool wraps = mayWrap(*whole);
    wraps_.erase(whole.get());
    return wraps;
  }

private:
  ExprPtr question(const Stmt &loop) {
    IntegerRanges inside = std::exchange(ranges_, ranges_.inQuestionOf(loop));
    wraps_.clear();
    ExprPtr asked = of(loop.value);
    wraps_.clear();
    ranges_ = std::move(inside);
    return asked;
  }

  void assignment(Stmt &s) {
    const ExprPtr target = s.target;
    const Scalar type = target->type.scalar;
    s.target = of(target);
    if (s.op == "=") {
      s.value = converted(of(s.value), type);
      return;
    }
    const ExprPtr whole = binary(s.op.withoutAssignment(), target, s.value);
    const bool isFraction = isFloating(whole->type.scalar) && isIntegerType(type);
    if (isFraction || needsWhole(*whole)) {
      s.op = "=";
      s.value = cast(type, of(whole));
    } else if (whole->op.isShift()) {
      s.value = amount(of(s.value), *whole);
    } else {
      s.value = mayWrap(*whole) ? operandOf(s.value, withoutSign(whole->type.scalar)) : of(s.value);
    }
    wraps_.erase(whole.get());
  }

  /// Whether `a op= b`, whose operation is `e`, has to be written out as `a = a op b`.
  bool needsWhole(const Expr &e) const {
    if (!isWrappable(e.type.scalar))
      return false;
    if (e.op == "/" || e.op == "%")
      return mayDivideBeyond(e);
    return mayWrap(e) && (e.op == "<<" || inVectors_);
  }

  /// The same value, made by operations that are defined.
  ExprPtr of(const ExprPtr &e) {
    if (mayWrap(*e))
      return cast(e->type.scalar, bits(e, withoutSign(e->type.scalar)));
    // Bits that are left out need not have come from a number with a sign.
    if (e->kind == ExprKind::Cast && isIntegerType(e->type.scalar) && mayWrap(*e->args[0]) &&
        byteSize(e->type.scalar) <= byteSize(e->args[0]->type.scalar))
      return cast(e->type.scalar, bits(e->args[0], withoutSign(e->args[0]->type.scalar)));
    const bool outside = std::exchange(inVectors_, inVectors_ && e->kind != ExprKind::Index);
    std::vector<ExprPtr> args;
    for (const ExprPtr &each : e->args)
      args.push_back(of(each));
    inVectors_ = outside;
    return defined(withArgs(e, std::move(args)), *e);
  }

  /// `e`, whose operands are defined, where they were those of `written`.
  ExprPtr defined(const ExprPtr &e, const Expr &written) const {
    const Scalar type = e->type.scalar;
    if (e->kind == ExprKind::Binary && e->op.isShift())
      return withArgs(e, {e->args[0], amount(e->args[1], written)});
    if (!isWrappable(type))
      return e;
    if (e->kind == ExprKind::Binary && (e->op == "/" || e->op == "%") && mayDivideBeyond(written))
      return call(e->op == "/" ? wrappingQuotient : wrappingRemainder, e->type, e->args,
                  e->location);
    if (e->kind == ExprKind::Call && e->callee == "abs" &&
        mayBe(ranges_.of(written.args[0]), rangeOf(type)->low))
      return call(wrappingAbsolute, e->type, e->args, e->location);
    return e;
  }

  /// The operation `e` computed in the unsigned type `type`.
  ExprPtr bits(const ExprPtr &e, Scalar type) {
    if (e->kind == ExprKind::Unary)
      return unary(e->op, operandOf(e->args[0], type), e->location);
    if (e->op.isShift())
      return binary(e->op, operandOf(e->args[0], type), amount(of(e->args[1]), *e), e->location);
    const auto added = literalValue(e->args[1]);
    const bool isSum = e->op == "+" || e->op == "-";
    if (isSum && added && *added < 0 && *added != std::numeric_limits<std::int64_t>::min()) // x + -2
      return binary(e->op == "+" ? Operator("-") : "+", operandOf(e->args[0], type),
                    intLiteral(-*added, type), e->location);
    const bool made[] = {hasNoSign(e->args[0], type), hasNoSign(e->args[1], type)};
    // One operand without a sign is enough.
    const bool second = !made[0] && (made[1] || e->args[0]->kind == ExprKind::Literal);
    const bool both = inVectors_ || (made[0] && made[1]);
    const auto operand = [&](const ExprPtr &each, bool isConverted) {
      const bool isBelowZero = literalValue(each).value_or(0) < 0; // compilers warn of -2 that loses its sign
      return isConverted || isBelowZero ? operandOf(each, type) : of(each);
    };
    return binary(e->op, operand(e->args[0], both || !second),
                  operand(e->args[1], both || second), e->location);
  }

  ExprPtr operandOf(const ExprPtr &e, Scalar type) {
    if (isMadeOfBits(e, type))
      return bits(e, type);
    if (const auto value = literalValue(e); value && *value >= 0)
      return intLiteral(*value, type);
    return isSignedForm(e, type) ? of(e->args[0]) : cast(type, of(e));
  }

  /// Whether `e` is a number of `type`, which has no sign, that was given one.
  static bool isSignedForm(const ExprPtr &e, Scalar type) {
    return e->kind == ExprKind::Cast && isWrappable(e->type.scalar) &&
           e->args[0]->type.scalar == type;
  }

  bool hasNoSign(const ExprPtr &e, Scalar type) const {
    return isMadeOfBits(e, type) || isSignedForm(e, type);
  }

  bool isMadeOfBits(const ExprPtr &e, Scalar type) const {
    return byteSize(e->type.scalar) == byteSize(type) && mayWrap(*e);
  }

  /// Whether the result of `e` may be beyond its type, or that of an operation in it that keeps bits.
  bool mayWrap(const Expr &e) const {
    if (!isWrappable(e.type.scalar) || !keepsBits(e))
      return false;
    const auto [known, isNew] = wraps_.try_emplace(&e, false);
    if (!isNew)
      return known->second;
    const bool isBitwise = e.op.isBitwise() || e.op == "~";
    bool wraps = (!isBitwise && !ranges_.fits(e)) || (e.op == "<<" && mayBeNegative(e.args[0]));
    for (std::size_t i = 0; i < (e.op.isShift() ? 1 : e.args.size()); ++i)
      wraps |= e.args[i]->type.scalar == e.type.scalar && mayWrap(*e.args[i]);
    return wraps_[&e] = wraps;
  }

  static bool mayBe(const std::optional<IntegerRange> &range, std::int64_t value) {
    return !range || (range->low <= value && value <= range->high);
  }

  bool mayBeNegative(const ExprPtr &e) const {
    const auto range = ranges_.of(e);
    return !range || range->low < 0;
  }

  /// Whether it is the least number by -1.
  bool mayDivideBeyond(const Expr &e) const {
    return mayBe(ranges_.of(e.args[0]), rangeOf(e.type.scalar)->low) &&
           mayBe(ranges_.of(e.args[1]), -1);
  }

  /// By how many bits `shift` moves, below the width.
  ExprPtr amount(const ExprPtr &e, const Expr &shift) const {
    const auto width = static_cast<std::int64_t>(8 * byteSize(shift.type.scalar));
    const auto range = ranges_.of(shift.args[1]);
    if (dialect_ == Dialect::OpenCL || (range && range->low >= 0 && range->high < width))
      return e;
    return binary("&", e, intLiteral(width - 1, commonScalar(e->type.scalar, e->type.scalar)));
  }

  /// With the conversion to an integer that an assignment does.
  static ExprPtr converted(const ExprPtr &e, Scalar type) {
    return isFloating(e->type.scalar) && isIntegerType(type) ? cast(type, e) : e;
  }

  IntegerRanges ranges_;
  Dialect dialect_;
  bool inVectors_ = false; ///< in a loop whose rounds are done several at a time
  mutable std::map<const Expr *, bool> wraps_;
};

} // namespace

StmtPtr withWrapAround(const StmtPtr &body, Dialect dialect) {
  if (dialect == Dialect::OpenCL)
    return WrapAround(body, dialect).statement(body);
  const WrapAround before(body, dialect);
  const StmtPtr sums = withUnsignedSums(body, [&](const Stmt &s) { return before.sumMayWrap(s); });
  return WrapAround(sums, dialect).statement(sums);
}

} // namespace tangram::codegen
