#include "composer/analysis/tunable_domains.h"

#include "algebra/bounds.h"
#include "composer/analysis/partition_check_evaluate.h"
#include "ir/checked_arithmetic.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::composer {

using algebra::Bound;
using algebra::literal;

namespace {

constexpr unsigned mostRounds = 64;      ///< two tunables may push each other up by one a round
constexpr std::size_t mostListed = 4096; ///< values that are tried one by one
constexpr std::size_t mostShown = 12;    ///< in text

/// A range while it is narrowed: the largest of `low`, the least of `high`.
struct Ends {
  std::vector<Bound> low;
  std::vector<Bound> high;
  std::vector<std::int64_t> values;
  bool listed = false;
};

class Narrowing {
public:
  Narrowing(std::vector<TunableRange> given, std::vector<TunableCondition> conditions,
            const std::vector<ir::ExprPtr> &facts)
      : given(std::move(given)), conditions(std::move(conditions)) {
    for (std::size_t i = 0; i < this->given.size(); ++i)
      indexOf[this->given[i].var.get()] = i;
    for (const ir::ExprPtr &fact : facts)
      learn(fact);
    for (const TunableRange &range : this->given)
      start(range);
  }

  NarrowedRanges run() {
    for (std::size_t i = 0; i < ends.size(); ++i)
      conflictAt(i, {nullptr, "its own domain has no value", given[i].var->location});
    for (unsigned round = 0; round < mostRounds && !result.conflict; ++round) {
      changed = false;
      for (const TunableCondition &each : conditions) {
        current = &each;
        holds(each.require);
        if (result.conflict)
          break;
      }
      if (!changed)
        break;
    }
    for (std::size_t i = 0; i < given.size(); ++i)
      result.ranges.push_back(finished(i));
    for (const TunableCondition &each : conditions) {
      if (!isImplied(each.require))
        result.left.push_back(each);
    }
    return std::move(result);
  }

private:
  /// The tunable that `e` is, if it is one.
  std::optional<std::size_t> tunable(const ir::Expr &e) const {
    auto found = e.kind == ir::ExprKind::Var ? indexOf.find(e.var.get()) : indexOf.end();
    return found == indexOf.end() ? std::nullopt : std::optional(found->second);
  }

  bool mentionsTunable(const ir::ExprPtr &e) const {
    return ir::contains(e, [&](const ir::Expr &node) { return tunable(node).has_value(); });
  }

  void start(const TunableRange &range) {
    Ends &made = ends.emplace_back();
    made.values = range.values;
    made.listed = !range.values.empty();
    auto end = [&](const ir::ExprPtr &e, ir::Operator relation, std::vector<Bound> &to) {
      if (!e)
        return;
      // An end over other tunables is a condition like any other.
      if (mentionsTunable(e))
        conditions.push_back({ir::binary(relation, ir::varRef(range.var), e),
                              range.var->name + " " + relation.text() + " " + ir::toString(e),
                              range.var->location});
      else if (Bound bound = bounds.exactly(e))
        to.push_back(bound);
    };
    end(range.low, ">=", made.low);
    end(range.high, "<=", made.high);
    settleValues(made);
  }

  /// The end that is a number, if one is; else any.
  static Bound pick(const std::vector<Bound> &ends) {
    for (const Bound &each : ends) {
      if (literal(each))
        return each;
    }
    return ends.empty() ? Bound() : ends.front();
  }

  // --- what a condition makes of the tunables in it -----------------------------------------

  void holds(const ir::ExprPtr &condition) {
    const ir::Expr &e = *condition;
    if (e.kind == ir::ExprKind::Cast)
      return holds(e.args[0]);
    if (e.kind != ir::ExprKind::Binary)
      return;
    if (e.op == "&&") {
      holds(e.args[0]);
      return holds(e.args[1]);
    }
    tryValues(condition);
    if (bounds.mayWrap(condition))
      return;
    const Bound one = 1;
    if (e.op == "<=" || e.op == "==")
      ordered(e.args[0], e.args[1], 0);
    if (e.op == ">=" || e.op == "==")
      ordered(e.args[1], e.args[0], 0);
    if (e.op == "<")
      ordered(e.args[0], e.args[1], one);
    if (e.op == ">")
      ordered(e.args[1], e.args[0], one);
  }

  /// a + gap <= b.
  void ordered(const ir::ExprPtr &a, const ir::ExprPtr &b, const Bound &gap) {
    limit(a, true, bounds.extreme(b, true) - gap);
    limit(b, false, bounds.extreme(a, false) + gap);
  }

  /// `e` is at most (or at least) `bound`: pass that on to the tunables in it.
  void limit(const ir::ExprPtr &e, bool upper, const Bound &bound) {
    if (!bound || result.conflict || !mentionsTunable(e))
      return;
    if (auto i = tunable(*e))
      return tighten(*i, upper, bound);
    if (e->kind == ir::ExprKind::Cast && algebra::widens(*e))
      return limit(e->args[0], upper, bound);
    if (e->kind == ir::ExprKind::Call && e->args.size() == 2 &&
        e->callee == (upper ? "max" : "min")) {
      limit(e->args[0], upper, bound);
      limit(e->args[1], upper, bound);
    }
    if (e->kind != ir::ExprKind::Binary)
      return;
    if (e->op == "+")
      limitSum(e->args[0], e->args[1], upper, bound);
    else if (e->op == "-" && bounds.staysAbove(*e))
      limitDifference(e->args[0], e->args[1], upper, bound);
    else if (e->op == "*" && bounds.isNatural(e->args[0]) && bounds.isNatural(e->args[1]))
      limitProduct(e->args[0], e->args[1], upper, bound);
    else if (e->op == "/" && bounds.isNatural(e->args[0]) &&
             bounds.isAtLeast(bounds.extreme(e->args[1], false), 1))
      limitQuotient(e->args[0], e->args[1], upper, bound);
  }

  void limitSum(const ir::ExprPtr &a, const ir::ExprPtr &b, bool upper, const Bound &bound) {
    limit(a, upper, bound - bounds.extreme(b, !upper));
    limit(b, upper, bound - bounds.extreme(a, !upper));
  }

  void limitDifference(const ir::ExprPtr &a, const ir::ExprPtr &b, bool upper, const Bound &bound) {
    limit(a, upper, bound + bounds.extreme(b, upper));
    limit(b, !upper, bounds.extreme(a, !upper) - bound);
  }

  void limitProduct(const ir::ExprPtr &a, const ir::ExprPtr &b, bool upper, const Bound &bound) {
    for (const auto &[factor, other] : {std::pair(a, b), std::pair(b, a)}) {
      const Bound by = bounds.extreme(other, !upper);
      if (!bounds.isAtLeast(by, 1))
        continue;
      if (upper)
        limit(factor, true, bounds.divide(bound, by));
      else if (bounds.isAtLeast(bound, 1))
        limit(factor, false, bounds.divideUp(bound, by));
    }
  }

  /// a / b, rounded down.
  void limitQuotient(const ir::ExprPtr &a, const ir::ExprPtr &b, bool upper, const Bound &bound) {
    const Bound one = 1;
    if (upper && bounds.isAtLeast(bound, 0)) {
      const Bound above = bound + one; // a < above * b
      limit(a, true, (above * bounds.extreme(b, true)) - one);
      limit(b, false, bounds.divide(bounds.extreme(a, false), above) + one);
    }
    if (!upper && bounds.isAtLeast(bound, 1)) {
      limit(a, false, bound * bounds.extreme(b, false));
      limit(b, true, bounds.divide(bounds.extreme(a, true), bound));
    }
  }

  void tighten(std::size_t i, bool upper, const Bound &bound) {
    std::vector<Bound> &known = upper ? ends[i].high : ends[i].low;
    auto isNoBetter = [&](const Bound &each, const Bound &than) {
      return upper ? bounds.isAtMost(than, each) : bounds.isAtMost(each, than);
    };
    for (const Bound &each : known) {
      if (isNoBetter(bound, each))
        return;
    }
    std::erase_if(known, [&](const Bound &each) { return isNoBetter(each, bound); });
    // Ends that cannot be compared stand side by side; more than a few help nobody.
    if (known.size() < 4 || literal(bound)) {
      known.push_back(bound);
      changed = true;
    }
    settleValues(ends[i]);
    conflictAt(i, *current);
  }

  static void settleValues(Ends &range) {
    if (!range.listed)
      return;
    const auto low = literal(pick(range.low));
    const auto high = literal(pick(range.high));
    std::erase_if(range.values,
                  [&](std::int64_t v) { return (low && v < *low) || (high && v > *high); });
    if (range.values.empty())
      return;
    auto set = [](std::vector<Bound> &to, std::int64_t value) {
      std::erase_if(to, [](const Bound &each) { return literal(each).has_value(); });
      to.push_back(value);
    };
    set(range.low, range.values.front());
    set(range.high, range.values.back());
  }

  /// The tunable of a condition that names one, and no sizes.
  std::optional<std::size_t> onlyTunable(const ir::ExprPtr &condition) const {
    std::set<std::size_t> mentioned;
    bool closed = true;
    ir::forEach(condition, [&](const ir::Expr &e) {
      if (auto i = tunable(e))
        mentioned.insert(*i);
      else
        closed &= e.kind != ir::ExprKind::Var && e.kind != ir::ExprKind::Size;
    });
    return closed && mentioned.size() == 1 ? std::optional(*mentioned.begin()) : std::nullopt;
  }

  /// A condition as a function of the one tunable in it.
  class AtValues {
  public:
    AtValues(const ir::ExprPtr &condition, const ir::Var *tunable)
        : condition(condition), number(environment.variables[tunable]) {}
    AtValues(const AtValues &) = delete;
    AtValues &operator=(const AtValues &) = delete;

    std::optional<std::int64_t> operator()(std::int64_t value) {
      number = value;
      return evaluate(condition, environment);
    }

  private:
    const ir::ExprPtr &condition;
    Environment environment;
    std::int64_t &number;
  };

  /// Of a condition on one tunable: the values that were left when it was tried.
  struct Tried {
    ir::ExprPtr condition;
    std::vector<std::int64_t> possible = {};
    bool isKnown = false; ///< for all values whether it holds
  };
  Tried &triedLike(const ir::ExprPtr &condition) {
    for (Tried &each : tried) {
      if (ir::sameExpr(each.condition, condition))
        return each;
    }
    return tried.emplace_back(Tried{condition});
  }

  /// A condition on one tunable and nothing else is tried on its values.
  void tryValues(const ir::ExprPtr &condition) {
    const auto only = onlyTunable(condition);
    if (!only)
      return;
    const std::size_t i = *only;
    std::vector<std::int64_t> values = candidates(i);
    Tried &known = triedLike(condition);
    if (known.possible == values)
      return;
    const std::size_t before = values.size();
    known.isKnown = true;
    AtValues at(condition, given[i].var.get());
    std::erase_if(values, [&](std::int64_t v) {
      const std::optional<std::int64_t> holds = at(v);
      known.isKnown &= holds.has_value();
      return holds == std::optional<std::int64_t>(0);
    });
    known.possible = values;
    if (values.size() == before)
      return;
    if (values.empty()) {
      result.conflict = {i, *current};
      return;
    }
    // Gaps in a range are worth a list, as those of the multiples of 32 are.
    const bool gaps =
        values.back() - values.front() >= 2 * static_cast<std::int64_t>(values.size());
    if (ends[i].listed || gaps) {
      ends[i].listed = changed = true;
      ends[i].values = std::move(values);
      settleValues(ends[i]);
      return;
    }
    tighten(i, false, values.front());
    tighten(i, true, values.back());
  }

  /// Its values where they are few; else none.
  std::vector<std::int64_t> candidates(std::size_t i) const {
    if (ends[i].listed)
      return ends[i].values;
    const auto low = literal(pick(ends[i].low));
    const auto high = literal(pick(ends[i].high));
    std::vector<std::int64_t> values;
    if (!low || !high || *high - *low >= static_cast<std::int64_t>(mostListed))
      return values;
    for (std::int64_t v = *low; v <= *high; ++v)
      values.push_back(v);
    return values;
  }

  void conflictAt(std::size_t i, const TunableCondition &condition) {
    const Ends &range = ends[i];
    bool empty = range.listed && range.values.empty();
    for (const Bound &low : range.low) {
      for (const Bound &high : range.high)
        empty |= bounds.isAtMost(high + 1, low);
    }
    if (empty && !result.conflict)
      result.conflict = {i, condition};
  }

  // --- afterwards ----------------------------------------------------------------------------

  bool isImplied(const ir::ExprPtr &condition) {
    const ir::Expr &e = *condition;
    if (e.kind == ir::ExprKind::Cast)
      return isImplied(e.args[0]);
    if (e.kind != ir::ExprKind::Binary)
      return false;
    if (e.op == "&&")
      return isImplied(e.args[0]) && isImplied(e.args[1]);
    if (const auto only = onlyTunable(condition)) {
      const std::vector<std::int64_t> values = candidates(*only);
      const Tried &known = triedLike(condition);
      if (!values.empty() && known.isKnown && known.possible == values)
        return true;
      AtValues at(condition, given[*only].var.get());
      if (!values.empty())
        return std::ranges::all_of(values, [&](std::int64_t v) { return at(v).value_or(0) != 0; });
    }
    if (bounds.mayWrap(condition) || bounds.mayDivideByZero(condition))
      return false;
    auto atMost = [&](const ir::ExprPtr &a, const ir::ExprPtr &b, std::int64_t gap) {
      for (const Bound &high : extremes(a, true)) {
        for (const Bound &low : extremes(b, false)) {
          if (bounds.isAtMost(high + gap, low))
            return true;
        }
      }
      return false;
    };
    const ir::ExprPtr &a = e.args[0];
    const ir::ExprPtr &b = e.args[1];
    if (e.op == "<=")
      return atMost(a, b, 0);
    if (e.op == "<")
      return atMost(a, b, 1);
    if (e.op == ">=")
      return atMost(b, a, 0);
    if (e.op == ">")
      return atMost(b, a, 1);
    return e.op == "==" && atMost(a, b, 0) && atMost(b, a, 0);
  }

  /// All that is known of a tunable, where bounds.extreme() is the best.
  std::vector<Bound> extremes(const ir::ExprPtr &e, bool upper) {
    if (auto i = tunable(*e))
      return upper ? ends[*i].high : ends[*i].low;
    return {bounds.extreme(e, upper)};
  }

  /// Facts have no tunables: `extreme` is exact in them.
  void learn(const ir::ExprPtr &fact) {
    const ir::Expr &e = *fact;
    if (e.kind != ir::ExprKind::Binary)
      return;
    if (e.op == "&&") {
      learn(e.args[0]);
      return learn(e.args[1]);
    }
    const bool strict = e.op == "<" || e.op == ">";
    auto know = [&](const ir::ExprPtr &a, const ir::ExprPtr &b) {
      const Bound low = bounds.exactly(a) + (strict ? 1 : 0);
      if (const Bound high = bounds.exactly(b); low && high)
        bounds.facts().assume(*high - *low);
    };
    if (e.op == "<=" || e.op == "<" || e.op == "==")
      know(e.args[0], e.args[1]);
    if (e.op == ">=" || e.op == ">" || e.op == "==")
      know(e.args[1], e.args[0]);
  }

  ir::ExprPtr combined(const std::vector<Bound> &all, const char *function) const {
    ir::ExprPtr result;
    for (const Bound &each : all) {
      ir::ExprPtr here = bounds.expression(each);
      result =
          result ? ir::call(function, ir::scalarType(ir::Scalar::Index), {result, here}) : here;
    }
    return result;
  }

  TunableRange finished(std::size_t i) const {
    TunableRange range = given[i];
    range.low = combined(ends[i].low, "max");
    range.high = combined(ends[i].high, "min");
    range.values = ends[i].values;
    return range;
  }

  std::vector<TunableRange> given;
  std::vector<TunableCondition> conditions;
  std::map<const ir::Var *, std::size_t> indexOf;
  std::vector<Ends> ends;
  algebra::Bounds bounds{[this](const ir::Expr &e, bool upper) -> std::optional<Bound> {
    const auto i = tunable(e);
    return i ? std::optional<Bound>(pick(upper ? ends[*i].high : ends[*i].low)) : std::nullopt;
  }};
  NarrowedRanges result;
  const TunableCondition *current = nullptr;
  std::vector<Tried> tried;
  bool changed = false;
};

} // namespace

std::int64_t TunableRange::least() const { return ir::literalValue(low).value_or(0); }
std::int64_t TunableRange::most() const { return ir::literalValue(high).value_or(INT64_MAX); }

std::vector<std::int64_t> valuesWithin(std::int64_t low, std::int64_t high,
                                       const ir::TunableDomain &domain) {
  std::vector<std::int64_t> values;
  auto at = [&](std::size_t i) { return domain.values[i]; };
  switch (domain.kind) {
  case ir::TunableDomain::Kind::Any:
    return {};
  case ir::TunableDomain::Kind::Pow2:
    for (ir::CheckedNumber v = std::max<std::int64_t>(at(0), 1); v && *v <= at(1);
         v = ir::checkedProduct(*v, 2))
      values.push_back(*v);
    break;
  case ir::TunableDomain::Kind::Range:
    for (ir::CheckedNumber v = at(0); v && *v <= at(1) && values.size() < mostListed;
         v = ir::checkedSum(*v, std::max<std::int64_t>(at(2), 1)))
      values.push_back(*v);
    break;
  case ir::TunableDomain::Kind::Choice:
    values = domain.values;
    break;
  }
  std::erase_if(values, [&](std::int64_t v) { return v < low || v > high; });
  return values;
}

TunableRange rangeOf(const ir::VarPtr &var, std::int64_t low, std::int64_t high,
                     const ir::TunableDomain &domain) {
  TunableRange range{var, ir::intLiteral(low), high == INT64_MAX ? nullptr : ir::intLiteral(high),
                     valuesWithin(low, high, domain)};
  std::ranges::sort(range.values);
  // A list without a value is not the same as no list.
  if (range.values.empty() && domain.kind != ir::TunableDomain::Kind::Any)
    range.high = ir::intLiteral(low - 1);
  return range;
}

std::string toString(const TunableRange &range) {
  if (!range.values.empty()) {
    std::string text;
    for (std::size_t i = 0; i < range.values.size(); ++i) {
      const bool skips = range.values.size() > mostShown && i == mostShown / 2;
      if (skips)
        i = range.values.size() - mostShown / 2;
      text += (text.empty() ? "" : ", ") + std::string(skips ? "..., " : "") +
              std::to_string(range.values[i]);
    }
    return text;
  }
  const std::string low = range.low ? ir::toString(range.low) : "0";
  if (!range.high)
    return low + "..";
  const std::string high = ir::toString(range.high);
  if (ir::literalValue(range.low) && ir::literalValue(range.high) && range.most() < range.least())
    return "none";
  return low == high ? low : low + ".." + high;
}

NarrowedRanges narrow(std::vector<TunableRange> ranges, std::vector<TunableCondition> conditions,
                      const std::vector<ir::ExprPtr> &facts) {
  return Narrowing(std::move(ranges), std::move(conditions), facts).run();
}

} // namespace tangram::composer
