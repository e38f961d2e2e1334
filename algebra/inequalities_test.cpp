#include "algebra/inequalities.h"

#include "algebra/expression_fixture.h"

namespace tangram::algebra {
namespace {

using namespace fixture;

class InequalitiesTest : public ::testing::Test {
protected:
  E n = variable("n", Scalar::Index, VarKind::Param);
  E m = variable("m", Scalar::Index, VarKind::Param);
  E p = variable("p", Scalar::Index, VarKind::Param);
  E i = variable("i");
  E j = variable("j");
  Inequalities known;

  bool holds(const E &large, const E &small) {
    Polynomial difference = known.of(large) - known.of(small);
    return known.isNonNegative(difference);
  }
};

TEST_F(InequalitiesTest, TheSameInAnotherOrder) {
  EXPECT_EQ(known.of((n + m) * p), known.of(p * m + n * p));
  EXPECT_TRUE(holds(n * p + m, p * n));
  EXPECT_FALSE(holds(p * n, n * p + m));
}

TEST_F(InequalitiesTest, AFactTimesWhatIsNotNegative) {
  EXPECT_FALSE(holds(n * p, n));
  known.assume(known.of(p) - 1);
  EXPECT_TRUE(holds(n * p, n));
  known.assume(known.of(m) - known.of(n));
  EXPECT_TRUE(holds(m * p * p, n));
  EXPECT_FALSE(holds(n * p, m));
}

TEST_F(InequalitiesTest, MoreEffortIsAskedAgain) {
  known.assumeCondition((i < j).e);
  known.assumeCondition((j < n).e);
  const Polynomial difference = known.of(n * m) - known.of(i * m + 2 * m);
  EXPECT_FALSE(known.isNonNegative(difference, 1));
  EXPECT_TRUE(known.isNonNegative(difference, 100));
  EXPECT_TRUE(known.isNonNegative(difference, 1)); // known by now
}

TEST_F(InequalitiesTest, WhatHasNothingToDoWithAGoalCostsNoEffort) {
  const auto proves = [&](unsigned effort, unsigned others) {
    Inequalities facts;
    for (unsigned k = 0; k < others; ++k)
      facts.assume(Polynomial::of(facts.unknown()) - 1);
    facts.assumeCondition((i < j).e);
    facts.assumeCondition((j < n).e);
    return facts.isNonNegative(facts.of(n * m) - facts.of(i * m + 2 * m), effort);
  };
  unsigned enough = 1;
  while (enough < 100 && !proves(enough, 0))
    ++enough;
  EXPECT_LT(enough, 100);
  EXPECT_TRUE(proves(enough, 20));
}

TEST_F(InequalitiesTest, FactsThatConnectTwoPartsAreKnownToBoth) {
  known.assumeCondition((i < n).e);
  known.assumeCondition((j < m).e);
  EXPECT_FALSE(holds(m, i));
  EXPECT_TRUE(holds(m, j));
  known.assume(known.of(m) - known.of(n));
  EXPECT_TRUE(holds(m, i));
  EXPECT_FALSE(holds(n, j));
}

TEST_F(InequalitiesTest, WhatAFactDecides) {
  const E least = minE(m, p);
  known.assumeDeciding(known.of(m) + known.of(p) - known.of(least) - 1);
  EXPECT_FALSE(holds(least, p)); // it may be m
  EXPECT_FALSE(holds(least, m)); // or p
  known.assumeDeciding(known.of(m) - known.of(least) - 1);
  EXPECT_TRUE(holds(least, p));
  EXPECT_FALSE(holds(least, m));
}

TEST_F(InequalitiesTest, SumsOfWhatMayHaveWrappedAround) {
  const E k = variable("k", Scalar::I64, VarKind::Param);
  const E converted = ir::cast(Scalar::Index, k.e);
  EXPECT_FALSE(holds(i + 1 + converted, 1)); // k may be -1, and i 0
  EXPECT_FALSE(holds((i - j) + 1, 1));
  EXPECT_FALSE(holds((i - j) * n + n, n));
  EXPECT_FALSE(holds(maxE(i - j, i) + 1, 1)); // the larger one may be the largest there is
  known.assume(known.of(k) + 1);
  EXPECT_TRUE(holds(i + 1 + converted, i));
  EXPECT_FALSE(holds(i + 1 + converted, i + 1));
  known.assume(known.of(i) + 2 - known.of(j));
  EXPECT_TRUE(holds((i - j) + 3, 1));
  EXPECT_FALSE(holds((i - j) + 1, 1));
}

TEST_F(InequalitiesTest, QuotientsOfWhatMayHaveWrappedAround) {
  EXPECT_FALSE(holds((n - 1) / 2 * 2 + 2, 1)); // 0 where n is
  EXPECT_TRUE(holds((n - 1) % 2 + 2, 2));
  EXPECT_TRUE(holds((n + p - 1) / p * 2 + 2, 2)); // p is no 0
  EXPECT_TRUE(holds((maxE(n, 2) + p - 3) / p * 2 + 2, 2));
  EXPECT_FALSE(holds((maxE(n, 2) + p - 4) / p * 2 + 2, 2));
}

TEST_F(InequalitiesTest, ChainsOfFacts) {
  known.assumeCondition((i < j).e);
  known.assumeCondition((j < n).e);
  EXPECT_TRUE(holds(n, i + 2));
  EXPECT_FALSE(holds(n, i + 3));
  EXPECT_TRUE(holds(n * m, i * m + 2 * m));
}

TEST_F(InequalitiesTest, FactsInACircleEnd) {
  known.assumeCondition((n <= m).e);
  known.assumeCondition((m <= n).e);
  EXPECT_TRUE(holds(n, m));
  EXPECT_FALSE(holds(n, m + 1));
  EXPECT_FALSE(holds(p, n));
}

TEST_F(InequalitiesTest, WholeNumbers) {
  known.assumeCondition((n * 3 >= E(7)).e);
  EXPECT_TRUE(holds(n, 3));
  EXPECT_FALSE(holds(n, 4));
}

TEST_F(InequalitiesTest, Quotients) {
  known.assume(known.of(p) - 1);
  E tile = (n + p - 1) / p;
  EXPECT_TRUE(holds(tile * p, n));
  EXPECT_TRUE(holds(n + p - 1, tile * p));
  EXPECT_FALSE(holds(n, tile * p));
  EXPECT_TRUE(holds(p, n % p + 1));
  EXPECT_TRUE(holds(n, n % p));
}

TEST_F(InequalitiesTest, Minima) {
  EXPECT_TRUE(holds(n, minE(n, m)));
  EXPECT_TRUE(holds(m + 1, minE(n, m)));
  EXPECT_FALSE(holds(minE(n, m), n));
  EXPECT_TRUE(holds(maxE(n, m), m));
  EXPECT_FALSE(holds(n, maxE(n, m)));
}

TEST_F(InequalitiesTest, AMinimumIsOneOfTheTwo) {
  known.assumeCondition((p <= n).e);
  known.assumeCondition((p <= m).e);
  Polynomial goal = known.of(minE(n, m)) - known.of(p);
  EXPECT_FALSE(known.isNonNegative(goal));
  const Inequalities::Choice &choice = known.choices().back();
  EXPECT_TRUE(known.with(choice, true).isNonNegative(goal.with(choice.atom, choice.first)));
  EXPECT_TRUE(known.with(choice, false).isNonNegative(goal.with(choice.atom, choice.second)));
}

// Index values below 0 wrap around: n - m may be large.
TEST_F(InequalitiesTest, ADifferenceThatMayWrapAroundIsAnyNumber) {
  EXPECT_FALSE(holds(n, n - m));
  EXPECT_TRUE(holds(m + (n - m), n)); // the same, whatever n - m is
  known.assumeCondition((m <= p).e);
  EXPECT_TRUE(holds(p, p - m));
}

TEST_F(InequalitiesTest, SignedNumbersMayBeNegative) {
  E s = variable("s", Scalar::I32, VarKind::Param);
  EXPECT_FALSE(holds(s, 0));
  EXPECT_FALSE(holds(n * s, 0));
  known.assumeCondition((s >= E(ir::intLiteral(2, Scalar::I32))).e);
  EXPECT_TRUE(holds(s, 1));
  EXPECT_TRUE(holds(n * s, n));
}

// (size_t)(from - 3) is far above from where from is 2.
TEST_F(InequalitiesTest, ANegativeNumberBecomesALargeIndex) {
  E from = variable("from", Scalar::I64, VarKind::Param);
  E earlier = {ir::cast(Scalar::Index, (from - E(ir::intLiteral(3, Scalar::I64))).e)};
  E same = {ir::cast(Scalar::Index, from.e)};
  known.assumeCondition((from >= E(ir::intLiteral(0, Scalar::I64))).e);
  EXPECT_FALSE(holds(same, earlier));
  known.assumeCondition((from >= E(ir::intLiteral(3, Scalar::I64))).e);
  EXPECT_TRUE(holds(same, earlier));
}

TEST_F(InequalitiesTest, UnsignedArithmeticOfTheSourceIsNotTakenApart) {
  E u = variable("u", Scalar::U32, VarKind::Param);
  E one = ir::intLiteral(1, Scalar::U32);
  EXPECT_FALSE(holds(ir::cast(Scalar::Index, (u + one).e), ir::cast(Scalar::Index, u.e)));
  EXPECT_TRUE(holds(ir::cast(Scalar::Index, u.e), 0));
}

TEST_F(InequalitiesTest, NumbersThatDoNotFitProveNothing) {
  Polynomial large(INT64_MAX);
  EXPECT_FALSE(known.isNonNegative(large * large));
  EXPECT_FALSE(known.isNonNegative(large + large));
  EXPECT_FALSE(known.isNonNegative(large * large - large * large));
}

} // namespace
} // namespace tangram::algebra
