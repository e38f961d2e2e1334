// Narrowing the ranges of tunables: the worked example of Mogers' thesis, each kind of condition,
// and that no value that satisfies all conditions is ever removed.
#include "composer/analysis/tunable_domains.h"

#include "composer/analysis/analysis_fixture.h"
#include "composer/analysis/partition_check_evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace tangram::composer {
namespace {

using namespace fixture;
using Lines = std::vector<std::string>;

VarPtr size(std::string name) { return scalarParam(std::move(name), Scalar::Index); }
VarPtr parameter(std::string name) {
  return variable(std::move(name), ir::scalarType(Scalar::Index), ir::VarKind::Tunable);
}
ExprPtr num(std::int64_t value) { return ir::intLiteral(value); }

struct Problem {
  std::vector<TunableRange> ranges;
  std::vector<TunableCondition> conditions;
  std::vector<ExprPtr> facts;

  VarPtr add(const std::string &name, const ExprPtr &low, const ExprPtr &high,
             std::vector<std::int64_t> values = {}) {
    ranges.push_back({parameter(name), low, high, std::move(values)});
    return ranges.back().var;
  }
  void need(const ExprPtr &condition) { conditions.push_back({condition, "", {}}); }

  NarrowedRanges solve() const { return narrow(ranges, conditions, facts); }
  Lines text() const {
    Lines lines;
    const NarrowedRanges narrowed = solve();
    for (const TunableRange &each : narrowed.ranges)
      lines.push_back(each.var->name + ": " + toString(each));
    for (const TunableCondition &each : narrowed.left)
      lines.push_back("left: " + ir::toString(each.require));
    if (narrowed.conflict)
      lines.push_back("none for " + narrowed.ranges[narrowed.conflict->tunable].var->name + ": " +
                      (narrowed.conflict->condition.require
                           ? ir::toString(narrowed.conflict->condition.require)
                           : narrowed.conflict->condition.reason));
    return lines;
  }
};

TEST(TunableDomains, WorkedExampleOfAlgorithm2) {
  // T = {t1: [1..b], t2: [1..ab/t1], t3: [1..d]}, d > e, C = {t1 >= b, t3 <= e*t2/a}
  Problem p;
  VarPtr a = size("a"), b = size("b"), d = size("d"), e = size("e");
  VarPtr t1 = p.add("t1", num(1), ir::varRef(b));
  VarPtr t2 = p.add("t2", num(1), op(op(a, "*", b), "/", t1));
  VarPtr t3 = p.add("t3", num(1), ir::varRef(d));
  p.need(op(t1, ">=", b));
  p.need(op(t3, "<=", op(op(e, "*", t2), "/", a)));
  p.facts = {op(a, ">=", num(1)), op(b, ">=", num(1)), op(d, ">", e)};
  EXPECT_EQ(p.text(), (Lines{"t1: b", "t2: 1..a", "t3: 1..e", "left: t3 <= e * t2 / a"}));
}

TEST(TunableDomains, LimitsPassThroughArithmetic) {
  Problem p;
  VarPtr p1 = p.add("p", num(1), num(1024));
  VarPtr q = p.add("q", num(2), num(64));
  p.need(op(op(op(p1, "*", q), "*", num(4)), "<=", num(1000)));
  p.need(op(op(p1, "+", q), ">=", num(20)));
  EXPECT_EQ(p.text(),
            (Lines{"p: 1..125", "q: 2..64", "left: p * q * 4 <= 1000", "left: p + q >= 20"}));
}

TEST(TunableDomains, QuotientsAndTiles) {
  Problem p;
  VarPtr parts = p.add("parts", num(1), num(4096));
  // 1000 elements, tiles of at most 64.
  p.need(op(op(op(num(1000), "+", op(parts, "-", num(1))), "/", parts), "<=", num(64)));
  EXPECT_EQ(p.text(), (Lines{"parts: 16..4096"}));
}

TEST(TunableDomains, ValuesAreFiltered) {
  Problem p;
  VarPtr n = p.add("n", num(1), num(256));
  VarPtr m = p.add("m", num(1), num(64), {1, 2, 4, 8, 16, 32, 64});
  p.need(op(op(n, "%", num(32)), "==", num(0)));
  p.need(op(m, ">", num(3)));
  p.need(op(op(n, "*", m), "<=", num(512)));
  EXPECT_EQ(p.text(), (Lines{"n: 32, 64, 96, 128", "m: 4, 8, 16", "left: n * m <= 512"}));
}

TEST(TunableDomains, ConditionsThatAreAlikeAreOne) {
  Problem p;
  VarPtr n = p.add("n", num(1), num(128));
  for (int i = 0; i < 2; ++i)
    p.need(op(op(n, "%", num(32)), "==", num(0)));
  EXPECT_EQ(p.text(), (Lines{"n: 32, 64, 96, 128"}));
}

TEST(TunableDomains, WhatHasNoValueForSomeIsLeft) {
  Problem p;
  VarPtr n = p.add("n", num(0), num(8), {0, 3, 4, 8});
  p.need(op(op(num(8), "%", n), "==", num(0)));
  EXPECT_EQ(p.text(), (Lines{"n: 0, 4, 8", "left: 8 % n == 0"}));
}

TEST(TunableDomains, SizesStaySymbols) {
  Problem p;
  VarPtr len = size("in_size");
  VarPtr n = p.add("n", num(1), num(1024));
  VarPtr free = p.add("k", num(1), nullptr);
  p.need(op(n, "<=", len));
  p.need(op(free, "<=", len));
  EXPECT_EQ(p.text(), (Lines{"n: 1..min(1024, in_size)", "k: 1..in_size"}));
}

TEST(TunableDomains, AnEmptyDomainSaysWhichConditionEmptiedIt) {
  Problem p;
  VarPtr n = p.add("n", num(32), num(1024));
  VarPtr m = p.add("m", num(8), num(16));
  p.need(op(op(n, "*", m), "<=", num(100)));
  EXPECT_EQ(p.text().back(), "none for n: n * m <= 100");
  Problem q;
  q.ranges.push_back(rangeOf(parameter("p"), 1, 256, {ir::TunableDomain::Kind::Pow2, {512, 1024}}));
  EXPECT_EQ(q.text(), (Lines{"p: none", "none for p: its own domain has no value"}));
}

TEST(TunableDomains, SubtractionThatMayWrapSaysNothing) {
  Problem p;
  VarPtr n = p.add("n", num(1), num(100));
  VarPtr m = p.add("m", num(1), num(100));
  p.need(op(op(n, "-", m), "<=", num(10))); // n = 1, m = 2 wraps to 2^64 - 1: false, but n = 5...
  EXPECT_EQ(p.text(), (Lines{"n: 1..100", "m: 1..100", "left: n - m <= 10"}));
}

TEST(TunableDomains, FromTheSource) {
  VarPtr p = parameter("p");
  using Kind = ir::TunableDomain::Kind;
  EXPECT_EQ(toString(rangeOf(p, 1, INT64_MAX, {})), "1..");
  EXPECT_EQ(toString(rangeOf(p, 1, 4096, {})), "1..4096");
  EXPECT_EQ(toString(rangeOf(p, 1, 256, {Kind::Pow2, {64, 1024}})), "64, 128, 256");
  EXPECT_EQ(toString(rangeOf(p, 1, 256, {Kind::Range, {10, 40, 15}})), "10, 25, 40");
  EXPECT_EQ(toString(rangeOf(p, 1, 256, {Kind::Choice, {7, 3, 900}})), "3, 7");
  EXPECT_EQ(valuesWithin(1, 256, {Kind::Choice, {7, 3, 900}}), (std::vector<std::int64_t>{7, 3}));
}

// --- never removes a feasible value ---------------------------------------------------------

/// Random conditions over three tunables and two sizes.
class Random {
public:
  explicit Random(unsigned seed) : random(seed) {}

  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

  ExprPtr expression(const std::vector<VarPtr> &names, int depth) {
    const int kind = depth == 0 ? below(2) : below(8);
    if (kind == 0)
      return num(below(12));
    if (kind == 1)
      return ir::varRef(names[static_cast<std::size_t>(below(static_cast<int>(names.size())))]);
    ExprPtr a = expression(names, depth - 1);
    ExprPtr b = expression(names, depth - 1);
    static constexpr ir::Operator operators[] = {"+", "*", "/", "-", "%"};
    if (kind < 7)
      return op(a, operators[kind - 2], b);
    return ir::call(below(2) == 0 ? "min" : "max", ir::scalarType(Scalar::Index), {a, b});
  }

  ExprPtr condition(const std::vector<VarPtr> &names) {
    static constexpr ir::Operator relations[] = {"<=", "<", ">=", ">", "=="};
    return op(expression(names, 2), relations[below(5)], expression(names, 2));
  }

private:
  std::mt19937 random;
};

/// Calls `f` with every choice of values of the ranges as given.
void forAll(const std::vector<TunableRange> &ranges, Environment environment, std::size_t next,
            const std::function<void(const Environment &)> &f) {
  if (next == ranges.size())
    return f(environment);
  std::vector<std::int64_t> values = ranges[next].values;
  for (std::int64_t v = ranges[next].least(); values.empty() || v <= values.back(); ++v) {
    if (ranges[next].values.empty() && v > ranges[next].most())
      break;
    if (!ranges[next].values.empty() && std::ranges::count(values, v) == 0)
      continue;
    environment.variables[ranges[next].var.get()] = v;
    forAll(ranges, environment, next + 1, f);
  }
}

bool isIn(const TunableRange &range, std::int64_t value, const Environment &environment) {
  const auto low = evaluate(range.low, environment);
  const auto high = range.high ? evaluate(range.high, environment) : INT64_MAX;
  return (!low || value >= *low) && (!high || value <= *high) &&
         (range.values.empty() || std::ranges::count(range.values, value) == 1);
}

TEST(TunableDomains, NeverRemoveAFeasibleValue) {
  unsigned feasible = 0;
  unsigned removed = 0;
  unsigned conflicts = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Problem p;
    VarPtr n = size("n"), m = size("m");
    VarPtr x = p.add("x", num(1), num(3 + random.below(6)));
    VarPtr y = p.add("y", num(random.below(4)), num(3 + random.below(6)));
    VarPtr z = p.add("z", num(1), num(16), {1, 2, 4, 8, 16});
    const std::vector<VarPtr> names{x, y, z, n, m};
    for (int i = 0; i < 1 + random.below(3); ++i)
      p.need(random.condition(names));
    const NarrowedRanges narrowed = p.solve();
    conflicts += narrowed.conflict ? 1U : 0U;
    for (std::int64_t sizes = 0; sizes < 12; ++sizes) {
      Environment environment;
      environment.variables[n.get()] = sizes % 4;
      environment.variables[m.get()] = sizes / 2;
      forAll(p.ranges, environment, 0, [&](const Environment &chosen) {
        for (const TunableCondition &each : p.conditions) {
          if (evaluate(each.require, chosen).value_or(0) == 0) {
            ++removed;
            return;
          }
        }
        ++feasible;
        ASSERT_FALSE(narrowed.conflict) << "seed " << seed;
        for (const TunableRange &range : narrowed.ranges)
          ASSERT_TRUE(isIn(range, chosen.variables.at(range.var.get()), chosen))
              << "seed " << seed << ", " << range.var->name << " = "
              << chosen.variables.at(range.var.get()) << " is not in " << toString(range) << "; "
              << ir::toString(p.conditions.front().require) << ", n = " << sizes % 4
              << ", m = " << sizes / 2;
      });
      if (testing::Test::HasFatalFailure())
        return;
    }
  }
  EXPECT_GT(feasible, 20000U);
  EXPECT_GT(conflicts, 10U);
}

TEST(TunableDomains, WhatIsDroppedIsImplied) {
  // A condition that is not left holds for all values of the narrowed ranges.
  unsigned dropped = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Problem p;
    VarPtr x = p.add("x", num(1), num(3 + random.below(6)));
    VarPtr y = p.add("y", num(random.below(4)), num(3 + random.below(6)));
    for (int i = 0; i < 2; ++i)
      p.need(random.condition({x, y}));
    const NarrowedRanges narrowed = p.solve();
    if (narrowed.conflict)
      continue;
    for (const TunableCondition &each : p.conditions) {
      if (std::ranges::any_of(narrowed.left, [&](const TunableCondition &left) {
            return left.require == each.require;
          }))
        continue;
      ++dropped;
      forAll(narrowed.ranges, {}, 0, [&](const Environment &chosen) {
        ASSERT_NE(evaluate(each.require, chosen).value_or(0), 0)
            << "seed " << seed << ": " << ir::toString(each.require);
      });
      if (testing::Test::HasFatalFailure())
        return;
    }
  }
  EXPECT_GT(dropped, 40U);
}

} // namespace
} // namespace tangram::composer
