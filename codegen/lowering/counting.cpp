#include "codegen/lowering/counting.h"

#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool composes(const ExprPtr &e) { return e && contains(e, callsSpectrum); }

bool is(const ExprPtr &e, const VarPtr &var) { return e->kind == ExprKind::Var && e->var == var; }

/// What a loop's head makes of its variable in each round: one less, or a part of it.
struct Falling {
  Operator op;
  std::int64_t by = 0;
};

std::optional<Falling> fallOf(const Stmt &advance, const VarPtr &i) {
  if (advance.kind != StmtKind::Assign || !is(advance.target, i))
    return std::nullopt;
  Operator op = advance.op.withoutAssignment();
  ExprPtr by = advance.value;
  if (advance.op == "=") {
    if (by->kind != ExprKind::Binary || !is(by->args[0], i))
      return std::nullopt;
    op = by->op;
    by = by->args[1];
  }
  std::int64_t number = literalValue(by).value_or(0);
  if (op == "+") {
    op = "-";
    number = -number;
  }
  if (op == ">>" && number > 0 && number < 31) {
    op = "/";
    number = std::int64_t{1} << number;
  }
  if ((op == "-" && number == 1) || (op == "/" && number > 1))
    return Falling{op, number};
  return std::nullopt;
}

/// What a condition has a counter stay below.
struct Limit {
  ExprPtr below;
  bool converted = false; ///< it compares the counter as a number of another type
};

std::optional<Limit> limitOfComparison(const ExprPtr &condition, const VarPtr &t) {
  if (condition->kind != ExprKind::Binary || (condition->op != "<" && condition->op != "<="))
    return std::nullopt;
  ExprPtr left = condition->args[0];
  ExprPtr below = condition->args[1];
  // t + c < n is t < n - c; of numbers that do not wrap around and are not below 0.
  if (condition->op == "<" && left->kind == ExprKind::Binary && left->op == "+" &&
      left->type.scalar == Scalar::Index && below->type.scalar == Scalar::Index &&
      literalValue(left->args[1]).value_or(-1) > 0) {
    below = sub(maxOf(below, left->args[1]), left->args[1]);
    left = left->args[0];
  }
  if (condition->op == "<=") // of numbers that do not wrap around
    below = below->type.scalar == Scalar::Index || below->kind == ExprKind::Literal
                ? add(below, intLiteral(1, below->type.scalar))
                : add(cast(Scalar::I64, below), intLiteral(1, Scalar::I64));
  const bool converted = left->kind == ExprKind::Cast;
  if (converted)
    left = left->args[0];
  if (!is(left, t) || composes(below) || mentions(below, t.get()))
    return std::nullopt;
  return Limit{below, converted};
}

/// Whether it can be computed wherever: what stands before it may say that a divisor is not 0, or an element there.
bool isSafe(const ExprPtr &e) {
  return !contains(e, [](const Expr &each) {
    return each.kind == ExprKind::Index ||
           (each.kind == ExprKind::Binary && (each.op == "/" || each.op == "%"));
  });
}

/// Of all conditions that have to hold at once; `some`: of those of them that are limits.
std::optional<Limit> limitOf(const ExprPtr &condition, const VarPtr &t, bool some) {
  if (condition->kind != ExprKind::Binary || condition->op != "&&")
    return limitOfComparison(condition, t);
  const std::optional<Limit> first = limitOf(condition->args[0], t, some);
  std::optional<Limit> second = limitOf(condition->args[1], t, some);
  if (second && !isSafe(second->below))
    second.reset();
  if (first && second && first->converted == second->converted &&
      first->below->type.scalar == second->below->type.scalar)
    return Limit{call("min", first->below->type, {first->below, second->below}), first->converted};
  return !some ? std::nullopt : first ? first : second;
}

std::optional<Counting> counting(const Stmt &s, bool some) {
  const std::optional<SteppedLoop> scaled = scaledLoop(s);
  const std::optional<SteppedLoop> loop = scaled ? scaled : steppedLoop(s);
  if (!loop || !s.value || !isInteger(loop->i->type.scalar) ||
      loop->i->type.scalar == Scalar::Bool || assigns(s.children[2], loop->i.get()))
    return std::nullopt;
  const std::optional<Limit> limit = limitOf(s.value, loop->i, some);
  for (const ExprPtr &each : {loop->start, loop->step}) {
    if (composes(each) || mentions(each, loop->i.get()))
      return std::nullopt;
  }
  if (!limit)
    return std::nullopt;
  return Counting{loop->i,          loop->start, limit->below, loop->step, scaled.has_value(),
                  limit->converted, nullptr,     nullptr};
}

} // namespace

std::optional<Counting> countingOf(const Stmt &s) { return counting(s, false); }

std::optional<Counting> countingAtMost(const Stmt &s) { return counting(s, true); }

std::optional<Counting> fallingOf(const Stmt &s) {
  if (s.kind != StmtKind::For || !s.children[0] || !s.children[1] || !s.value)
    return std::nullopt;
  const Stmt &start = *s.children[0];
  if (start.kind != StmtKind::Decl || !start.value || !isInteger(start.var->type.scalar) ||
      start.var->type.scalar == Scalar::Bool || assigns(s.children[2], start.var.get()) ||
      s.value->kind != ExprKind::Binary || (s.value->op != ">" && s.value->op != ">="))
    return std::nullopt;
  const VarPtr &i = start.var;
  const std::optional<Falling> fall = fallOf(*s.children[1], i);
  const ExprPtr &end = s.value->args[1];
  if (!fall || !is(s.value->args[0], i) || composes(start.value) || composes(end) ||
      mentions(end, i.get()))
    return std::nullopt;
  // Differences and quotients are those of numbers that are not below 0.
  const auto isNatural = [](const ExprPtr &e) {
    const auto number = literalValue(e);
    return number ? *number >= 0 : !isSigned(e->type.scalar);
  };
  if ((isSigned(i->type.scalar) && !literalValue(start.value)) || !isNatural(start.value) ||
      !isNatural(end))
    return std::nullopt;
  const bool orEqual = s.value->op == ">=";
  Var round = *i;
  round.name = "round";
  round.type = scalarType(Scalar::Index);
  const VarPtr c = std::make_shared<Var>(round);
  Counting counting;
  counting.t = c;
  counting.falling = i;
  const auto index = [](std::int64_t number) { return intLiteral(number, Scalar::Index); };
  if (fall->op == "/") {
    // Down to 1: the quotients of a quotient are those of what was divided first.
    if (literalValue(end) != std::optional<std::int64_t>(orEqual ? 1 : 0))
      return std::nullopt;
    const ExprPtr first = cast(Scalar::Index, cast(i->type.scalar, start.value));
    counting.from = index(1);
    counting.below = add(first, index(1));
    counting.by = index(fall->by);
    counting.multiplies = true;
    counting.value = cast(i->type.scalar, binary("/", first, varRef(c)));
    return counting;
  }
  // An unsigned number is never below 0.
  if (!isSigned(i->type.scalar) && orEqual && literalValue(end).value_or(0) < 1)
    return std::nullopt;
  const ExprPtr first = cast(Scalar::I64, cast(i->type.scalar, start.value));
  const ExprPtr last = cast(Scalar::I64, end);
  counting.from = index(0);
  counting.below = cast(
      Scalar::Index,
      binary("-", maxOf(orEqual ? add(first, intLiteral(1, Scalar::I64)) : first, last), last));
  counting.by = index(1);
  counting.value = cast(i->type.scalar, binary("-", first, cast(Scalar::I64, varRef(c))));
  return counting;
}

} // namespace tangram::codegen
