#include "codegen/analysis/integer_ranges.h"

#include "codegen/form/building.h"
#include "ir/conjuncts.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

using Range = std::optional<IntegerRange>;

/// No memory has more elements.
constexpr std::int64_t mostElements = std::int64_t{1} << 56;

Range unite(const Range &a, const Range &b) {
  if (!a || !b)
    return std::nullopt;
  return IntegerRange{std::min(a->low, b->low), std::max(a->high, b->high)};
}

bool holds(Scalar type, const Range &range) {
  if (!range)
    return false;
  if (type == Scalar::Index)
    return true;
  if (type == Scalar::U64)
    return range->low >= 0;
  const Range all = rangeOf(type);
  return all && all->low <= range->low && range->high <= all->high;
}

/// The range of a number in `range` after its conversion to `type`.
Range converted(const Range &range, Scalar type) {
  return holds(type, range) ? range : rangeOf(type);
}

/// From the least to the largest of what `f` makes of the ends of two ranges; none where one is beyond 64 bits.
template <class F> Range ofEnds(const IntegerRange &a, const IntegerRange &b, const F &f) {
  Range all;
  for (std::int64_t x : {a.low, a.high}) {
    for (std::int64_t y : {b.low, b.high}) {
      std::int64_t value = 0;
      if (f(x, y, &value))
        return std::nullopt;
      all = all ? unite(all, IntegerRange{value, value}) : IntegerRange{value, value};
    }
  }
  return all;
}

Range quotient(const IntegerRange &a, const IntegerRange &b) {
  if (b.low < 1)
    return std::nullopt;
  return ofEnds(a, b, [](std::int64_t x, std::int64_t y, std::int64_t *value) {
    *value = x / y;
    return false;
  });
}

Range remainder(const IntegerRange &a, const IntegerRange &b) {
  if (b.low < 1)
    return std::nullopt;
  return IntegerRange{a.low >= 0 ? 0 : std::max(a.low, 1 - b.high),
                      a.high <= 0 ? 0 : std::min(a.high, b.high - 1)};
}

Range shiftedLeft(const IntegerRange &a, const IntegerRange &by) {
  if (by.low < 0 || by.high > 62)
    return std::nullopt;
  const IntegerRange factors{std::int64_t{1} << by.low, std::int64_t{1} << by.high};
  return ofEnds(a, factors, [](std::int64_t x, std::int64_t y, std::int64_t *value) {
    return __builtin_mul_overflow(x, y, value);
  });
}

/// The range of `a | b` and `a ^ b`.
Range joined(const IntegerRange &a, const IntegerRange &b) {
  if (a.low < 0 || b.low < 0)
    return std::nullopt;
  std::int64_t all = 0;
  while (all < std::max(a.high, b.high))
    all = 2 * all + 1;
  return IntegerRange{0, all};
}

} // namespace

Range rangeOf(Scalar type) {
  if (!isInteger(type) || type == Scalar::U64 || type == Scalar::Index)
    return std::nullopt;
  if (type == Scalar::Bool)
    return IntegerRange{0, 1};
  const auto bits = static_cast<unsigned>(8 * byteSize(type));
  if (!isSigned(type))
    return IntegerRange{0, (std::int64_t{1} << bits) - 1};
  const std::int64_t high = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  return IntegerRange{-high - 1, high};
}

IntegerRanges::IntegerRanges(const StmtPtr &body) : constants_(constantsOf(body)) {
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::For)
      addCounter(s);
    if (s.kind == StmtKind::Parallel && s.var)
      counters_[s.var.get()] = {0, mostElements};
  });
}

/// Those of loops up or down to a bound that a further step does not take beyond what the type holds.
void IntegerRanges::addCounter(const Stmt &loop) {
  if (!loop.children[0] || loop.children[0]->kind != StmtKind::Decl || !loop.children[1] ||
      !loop.value || loop.children[1]->kind != StmtKind::Assign)
    return;
  const VarPtr &i = loop.children[0]->var;
  const Stmt &advance = *loop.children[1];
  const bool isCounter = advance.target->kind == ExprKind::Var && advance.target->var == i;
  const Range start = loop.children[0]->value ? of(loop.children[0]->value) : std::nullopt;
  const Range step = of(advance.value);
  if (!isCounter || !start || !step || step->low < 0 || assigns(loop.children[2], i.get()))
    return;
  for (const ExprPtr &each : conjunctsOf(loop.value)) {
    const Range end = boundOf(*each, *i);
    const bool up = advance.op == "+=" && (each->op == "<" || each->op == "<=");
    const bool down = advance.op == "-=" && (each->op == ">" || each->op == ">=");
    if (!end || (!up && !down))
      continue;
    const std::int64_t beyond = each->op == "<" ? -1 : each->op == ">" ? 1 : 0;
    const IntegerRange inside = up ? IntegerRange{start->low, end->high + beyond}
                                   : IntegerRange{end->low + beyond, start->high};
    Range ever;
    std::int64_t last = 0;
    if (up && !__builtin_add_overflow(inside.high, step->high, &last))
      ever = IntegerRange{start->low, std::max(start->high, last)};
    if (down && !__builtin_sub_overflow(inside.low, step->high, &last))
      ever = IntegerRange{std::min(start->low, last), start->high};
    if (holds(i->type.scalar, ever)) {
      counters_[i.get()] = inside;
      ever_[i.get()] = *ever;
    }
  }
}

Range IntegerRanges::boundOf(const Expr &condition, const Var &counter) const {
  if (condition.kind != ExprKind::Binary || condition.args[0]->var.get() != &counter ||
      commonScalar(counter.type.scalar, condition.args[1]->type.scalar) != counter.type.scalar)
    return std::nullopt;
  const Range end = of(condition.args[1]);
  const bool isExtreme = end && (end->low == std::numeric_limits<std::int64_t>::max() ||
                                 end->high == std::numeric_limits<std::int64_t>::min());
  return isExtreme ? std::nullopt : end;
}

IntegerRanges IntegerRanges::inQuestionOf(const Stmt &loop) const {
  IntegerRanges asked = *this;
  if (loop.children[0] && loop.children[0]->kind == StmtKind::Decl) {
    if (const auto ever = ever_.find(loop.children[0]->var.get()); ever != ever_.end())
      asked.counters_[ever->first] = ever->second;
  }
  return asked;
}

Range IntegerRanges::of(const ExprPtr &e) const {
  const Scalar type = e->type.scalar;
  switch (e->kind) {
  case ExprKind::Literal:
    return type == Scalar::U64 && e->integer < 0 ? std::nullopt
                                                 : Range(IntegerRange{e->integer, e->integer});
  case ExprKind::Var:
    return e->var->extent ? std::nullopt : ofVariable(e->var);
  case ExprKind::Unary:
  case ExprKind::Binary:
    return ofBinary(*e);
  case ExprKind::Select:
    return unite(converted(of(e->args[1]), type), converted(of(e->args[2]), type));
  case ExprKind::Cast:
    return isInteger(e->args[0]->type.scalar) ? converted(of(e->args[0]), type) : rangeOf(type);
  case ExprKind::Call:
    return ofCall(*e);
  default:
    return rangeOf(type);
  }
}

Range IntegerRanges::ofVariable(const VarPtr &var) const {
  const Scalar type = var->type.scalar;
  if (const auto counter = counters_.find(var.get()); counter != counters_.end())
    return counter->second;
  if (const auto made = constants_.find(var.get()); made != constants_.end() && isInteger(type)) {
    const auto [known, isNew] = known_.try_emplace(var.get(), std::nullopt);
    if (isNew) {
      const Range range = converted(of(made->second), type);
      known_[var.get()] = range;
      return range;
    }
    return known->second;
  }
  const bool isSize =
      type == Scalar::Index && (var->kind == VarKind::Param || var->kind == VarKind::Tunable);
  return isSize ? Range(IntegerRange{0, mostElements}) : rangeOf(type);
}

Range IntegerRanges::ofBinary(const Expr &e) const {
  if (e.type.scalar == Scalar::Bool)
    return IntegerRange{0, 1};
  return converted(exact(e), e.type.scalar);
}

Range IntegerRanges::exact(const Expr &e) const {
  const Range a = of(e.args[0]);
  if (e.kind == ExprKind::Unary) {
    if (!a || e.op == "+")
      return a;
    if (e.op == "~")
      return IntegerRange{~a->high, ~a->low};
    return a->low == std::numeric_limits<std::int64_t>::min()
               ? std::nullopt
               : Range(IntegerRange{-a->high, -a->low});
  }
  const Range b = of(e.args[1]);
  const bool natural = a && b && a->low >= 0 && b->low >= 0;
  if (e.op == "&" && ((a && a->low >= 0) || (b && b->low >= 0)))
    return IntegerRange{0, natural            ? std::min(a->high, b->high)
                           : a && a->low >= 0 ? a->high
                                              : b->high};
  // An unsigned operation other than + - * sees a number that is below 0 here as a large one.
  if (!a || !b ||
      (!natural && !isSigned(e.type.scalar) && !(e.op == "+" || e.op == "-" || e.op == "*")))
    return std::nullopt;
  const auto ends = [&](auto overflows) { return ofEnds(*a, *b, overflows); };
  if (e.op == "+")
    return ends([](auto x, auto y, auto *z) { return __builtin_add_overflow(x, y, z); });
  if (e.op == "*")
    return ends([](auto x, auto y, auto *z) { return __builtin_mul_overflow(x, y, z); });
  if (e.op == "-")
    return ends([](auto x, auto y, auto *z) { return __builtin_sub_overflow(x, y, z); });
  if (e.op == "/")
    return quotient(*a, *b);
  if (e.op == "%")
    return remainder(*a, *b);
  if (e.op == "<<")
    return shiftedLeft(*a, *b);
  if (e.op == ">>")
    return IntegerRange{std::min<std::int64_t>(a->low, 0), std::max<std::int64_t>(a->high, -1)};
  return e.op == "|" || e.op == "^" ? joined(*a, *b) : std::nullopt;
}

Range IntegerRanges::ofCall(const Expr &e) const {
  const Scalar type = e.type.scalar;
  const bool isMin = e.callee == "min";
  if (e.args.size() == 2 && isInteger(type) && (isMin || e.callee == "max")) {
    const Range a = converted(of(e.args[0]), type);
    const Range b = converted(of(e.args[1]), type);
    if (!a || !b || (!isSigned(type) && std::min(a->low, b->low) < 0))
      return rangeOf(type);
    return isMin ? IntegerRange{std::min(a->low, b->low), std::min(a->high, b->high)}
                 : IntegerRange{std::max(a->low, b->low), std::max(a->high, b->high)};
  }
  return rangeOf(type);
}

bool IntegerRanges::fits(const Expr &operation) const {
  return holds(operation.type.scalar, exact(operation));
}

} // namespace tangram::codegen
