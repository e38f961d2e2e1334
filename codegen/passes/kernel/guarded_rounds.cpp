#include "codegen/passes/kernel/guarded_rounds.h"

#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "ir/conjuncts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr std::int64_t most32 = 4294967295; ///< rounds that a counter of 32 bits has
/// With a counter of 32 bits it makes products that 64 bits hold.
constexpr std::int64_t mostFactor = 1048576;

ExprPtr wide(const ExprPtr &e) { return e->type.scalar == Scalar::I64 ? e : cast(Scalar::I64, e); }

ExprPtr wide(std::int64_t value) { return intLiteral(value, Scalar::I64); }

/// `e` without conversions of literals, and without 0 added or subtracted.
ExprPtr tidied(const ExprPtr &e) {
  return rewrite(e, [](const ExprPtr &each) -> ExprPtr {
    const auto value = each->kind == ExprKind::Cast ? literalValue(each->args[0]) : std::nullopt;
    if (value && *value >= 0 && *value <= INT32_MAX && isInteger(each->type.scalar) &&
        byteSize(each->type.scalar) >= byteSize(Scalar::I32))
      return intLiteral(*value, each->type.scalar);
    const bool isSum = each->kind == ExprKind::Binary && (each->op == "+" || each->op == "-");
    return isSum && isLiteral(each->args[1], 0) ? each->args[0] : each;
  });
}

/// An integer as 64 bits with a sign have it, and for each counter in it whether it grows (1) or falls (-1) with that.
struct Monotone {
  ExprPtr value;
  std::map<const Var *, int> signs;
};

/// The signs of a + b, or of a - b where `sign` is -1; nothing where one of them grows with a counter and the other falls.
std::optional<std::map<const Var *, int>> together(const Monotone &a, const Monotone &b, int sign) {
  std::map<const Var *, int> signs = a.signs;
  for (const auto &[counter, each] : b.signs) {
    const auto [found, isNew] = signs.try_emplace(counter, sign * each);
    if (!isNew && found->second != sign * each)
      return std::nullopt;
  }
  return signs;
}

struct Limits {
  std::optional<std::int64_t> least, most; ///< none: that of 64 bits with a sign
};

std::optional<Limits> limitsOf(Scalar type) {
  switch (type) {
  case Scalar::I8:
    return Limits{INT8_MIN, INT8_MAX};
  case Scalar::U8:
    return Limits{0, UINT8_MAX};
  case Scalar::I16:
    return Limits{INT16_MIN, INT16_MAX};
  case Scalar::U16:
    return Limits{0, UINT16_MAX};
  case Scalar::I32:
    return Limits{INT32_MIN, INT32_MAX};
  case Scalar::U32:
    return Limits{0, most32};
  case Scalar::I64:
    return Limits{};
  case Scalar::U64:
  case Scalar::Index:
    return Limits{0, std::nullopt};
  default:
    return std::nullopt;
  }
}

class Finder {
public:
  explicit Finder(const CountedLoop &loop)
      : loop_(loop), names_(constantsOf(loop.body)), changed_(changedIn(loop.body)) {}

  std::optional<GuardedRounds> find() {
    found_.fits = binary("<=", loop_.bound, intLiteral(most32, Scalar::Index));
    found_.inside = walk(loop_.body);
    return found_.from.empty() && found_.upTo.empty() ? std::nullopt : std::optional(found_);
  }

private:
  StmtPtr walk(const StmtPtr &s) {
    if (!s)
      return s;
    const auto inner = s->kind == StmtKind::For ? loopToTheEnd(*s) : std::nullopt;
    const bool counts = inner && inner->isPlain() && isFixed(inner->bound);
    if (counts)
      inner_.push_back(*inner);
    StmtPtr result = s;
    if (s->kind == StmtKind::If && !inner_.empty() && (s->children.size() < 2 || !s->children[1]))
      result = without(s);
    if (result == s) {
      std::vector<StmtPtr> children;
      for (const StmtPtr &child : s->children)
        children.push_back(walk(child));
      result = withChildren(s, std::move(children));
    }
    if (counts)
      inner_.pop_back();
    return result;
  }

  /// The branch without what holds inside.
  StmtPtr without(const StmtPtr &s) {
    const std::vector<ExprPtr> conditions = conjunctsOf(s->value);
    ExprPtr left;
    std::size_t taken = 0;
    for (const ExprPtr &each : conditions) {
      if (take(each))
        ++taken;
      else
        left = left ? binary("&&", left, each) : each;
    }
    if (taken == 0)
      return s;
    return left ? ifThen(left, s->children[0], nullptr, s->location) : s->children[0];
  }

  /// Whether the condition holds inside: from some round on or up to one, in all rounds of the loops around it.
  bool take(const ExprPtr &condition) {
    const ExprPtr e = withNames(condition);
    const bool isOrder = e->kind == ExprKind::Binary &&
                         (e->op == "<" || e->op == "<=" || e->op == ">" || e->op == ">=");
    if (!isOrder || !isInteger(e->args[0]->type.scalar) ||
        e->args[0]->type.scalar != e->args[1]->type.scalar)
      return false;
    const GuardedRounds before = found_;
    const auto a = monotone(e->args[0]), b = monotone(e->args[1]);
    const bool isGreater = e->op == ">" || e->op == ">=";
    const auto signs =
        a && b ? together(isGreater ? *a : *b, isGreater ? *b : *a, -1) : std::nullopt;
    if (signs && signs->contains(loop_.i.get())) {
      add(binary(e->op, a->value, b->value), *signs);
      return true;
    }
    found_ = before;
    return false;
  }

  /// Adds `condition`, a lower bound of a number with these signs: it holds in all rounds of the loops around it if it holds
  /// where the number is least, in the first or the last round of each.
  void add(const ExprPtr &condition, const std::map<const Var *, int> &signs) {
    Substitution least;
    for (const CountedLoop &inner : inner_) {
      const auto sign = signs.find(inner.i.get());
      if (sign != signs.end())
        least[inner.i.get()] =
            cast(inner.i->type.scalar,
                 sign->second > 0 ? intLiteral(0) : algebra::sub(inner.bound, intLiteral(1)));
    }
    const ExprPtr there = tidied(substitute(condition, least));
    const auto own = signs.find(loop_.i.get());
    if (own == signs.end()) {
      found_.fits = binary("&&", found_.fits, there);
      return;
    }
    auto &all = own->second > 0 ? found_.from : found_.upTo;
    if (std::ranges::none_of(all, [&](const ExprPtr &each) { return sameExpr(each, there); }))
      all.push_back(there);
  }

  /// Adds that `type` has the number: of one that it has not, the program computes another one.
  void addLimits(const Monotone &number, Scalar type) {
    const auto limits = limitsOf(type);
    const bool isLoops =
        number.value->kind == ExprKind::Cast && isCounterItself(number.value->args[0]);
    if (limits->least && !(*limits->least <= 0 && isNatural(number.value)))
      add(binary(">=", number.value, wide(*limits->least)), number.signs);
    if (!limits->most || (isLoops && *limits->most == most32))
      return;
    std::map<const Var *, int> falling = number.signs;
    for (auto &[counter, sign] : falling)
      sign = -sign;
    add(binary("<=", number.value, wide(*limits->most)), falling);
  }

  bool isCounterItself(const ExprPtr &e) const {
    return e->kind == ExprKind::Var && e->var == loop_.i;
  }

  /// Whether it is not below 0, whatever its counters are.
  bool isNatural(const ExprPtr &e) const {
    if (const auto value = literalValue(e))
      return *value >= 0;
    if (e->kind == ExprKind::Cast)
      return !isSigned(e->args[0]->type.scalar) || isNatural(e->args[0]);
    if (e->kind == ExprKind::Var)
      return isCounter(e->var.get());
    return e->kind == ExprKind::Binary && (e->op == "+" || e->op == "*") && isNatural(e->args[0]) &&
           isNatural(e->args[1]);
  }

  /// The integer in 64 bits. Where that is another number than its own type has, conditions say so.
  std::optional<Monotone> monotone(const ExprPtr &e) {
    const Scalar type = e->type.scalar;
    if (const auto value = literalValue(e))
      return *value < 0 && !isSigned(type) ? std::nullopt
                                           : std::optional(Monotone{wide(*value), {}});
    if (!limitsOf(type))
      return std::nullopt;
    if (e->kind == ExprKind::Var && isCounter(e->var.get()))
      return Monotone{wide(e), {{e->var.get(), 1}}};
    if (e->kind == ExprKind::Cast && limitsOf(e->args[0]->type.scalar)) {
      const Scalar from = e->args[0]->type.scalar;
      const auto inner = monotone(e->args[0]);
      const bool keeps =
          from == type || (byteSize(from) < byteSize(type) && (isSigned(type) || !isSigned(from)));
      const bool keepsSize = byteSize(type) == byteSize(Scalar::I64) &&
                             byteSize(from) == byteSize(type) && !isSigned(from);
      if (inner && !keeps && !keepsSize)
        addLimits(*inner, type);
      return inner;
    }
    if (isFixed(e)) // of unsigned 64 bits only sizes are known to be below 2^63
      return type == Scalar::U64 ? std::nullopt : std::optional(Monotone{wide(e), {}});
    if (e->kind != ExprKind::Binary || !(e->op == "+" || e->op == "-" || e->op == "*"))
      return std::nullopt;
    const auto a = monotone(e->args[0]), b = monotone(e->args[1]);
    if (!a || !b)
      return std::nullopt;
    std::optional<std::map<const Var *, int>> signs;
    if (e->op == "*") {
      const bool first = isFactor(*a);
      if (!first && !isFactor(*b))
        return std::nullopt;
      signs = first ? b->signs : a->signs;
    } else {
      signs = together(*a, *b, e->op == "+" ? 1 : -1);
    }
    if (!signs)
      return std::nullopt;
    const Monotone result{binary(e->op, a->value, b->value), *signs};
    addLimits(result, type);
    return result;
  }

  /// Whether products of it and a counter grow with that, and are none of more than 64 bits.
  bool isFactor(const Monotone &number) {
    if (!number.signs.empty() || !isNatural(number.value))
      return false;
    const auto value = literalValue(number.value);
    if (!value)
      found_.fits = binary("&&", found_.fits, binary("<=", number.value, wide(mostFactor)));
    return !value || *value <= mostFactor;
  }

  ExprPtr withNames(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      const auto value = each->kind == ExprKind::Var ? names_.find(each->var.get()) : names_.end();
      const bool isNumber =
          value != names_.end() && isInteger(each->type.scalar) && !each->var->extent &&
          !contains(value->second, [](const Expr &inner) {
            return inner.kind == ExprKind::Index || inner.kind == ExprKind::Atomic;
          });
      return isNumber ? withNames(value->second) : each;
    });
  }

  bool isCounter(const Var *variable) const {
    return variable == loop_.i.get() || std::ranges::any_of(inner_, [&](const CountedLoop &each) {
             return each.i.get() == variable;
           });
  }

  /// Whether it is the same in all rounds.
  bool isFixed(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             each.kind == ExprKind::Call ||
             (each.kind == ExprKind::Var &&
              (each.var == loop_.i || changed_.contains(each.var.get())));
    });
  }

  const CountedLoop &loop_;
  std::map<const Var *, ExprPtr> names_;
  std::set<const Var *> changed_;
  std::vector<CountedLoop> inner_;
  GuardedRounds found_;
};

} // namespace

std::optional<GuardedRounds> guardedRounds(const CountedLoop &loop) { return Finder(loop).find(); }

} // namespace tangram::codegen
