#include "algebra/expression_fixture.h"
#include "algebra/inequalities.h"
#include "algebra/simplify.h"

#include <gtest/gtest.h>

namespace tangram::algebra {
namespace {

using namespace fixture;

TEST(Proofs, AListIsTheSameWhereItsFactsAre) {
  Proofs proofs;
  const Polynomial a = Polynomial::of(0);
  const Polynomial b = Polynomial::of(1);
  EXPECT_EQ(proofs.numberOf(a - b), proofs.numberOf(a - b));
  EXPECT_NE(proofs.numberOf(a - b), proofs.numberOf(b - a));
  EXPECT_EQ(proofs.with(proofs.with(0, a), b), proofs.with(proofs.with(0, a), b));
  EXPECT_NE(proofs.with(proofs.with(0, a), b), proofs.with(proofs.with(0, b), a));
  EXPECT_NE(proofs.with(0, a), proofs.withSigned(0, proofs.numberOf(a)));
}

TEST(Proofs, AnAnswerIsThatOfItsQuestion) {
  Proofs proofs;
  const Proofs::Number goal = proofs.numberOf(Polynomial::of(0));
  using Question = Proofs::Question;
  EXPECT_EQ(proofs.answer(0, goal, 24, Question::Holds), std::nullopt);
  proofs.keep(0, goal, 24, Question::Holds, true);
  proofs.keep(0, goal, 24, Question::FailsIfFirst, false);
  EXPECT_EQ(proofs.answer(0, goal, 24, Question::Holds), true);
  EXPECT_EQ(proofs.answer(0, goal, 24, Question::FailsIfFirst), false);
  EXPECT_EQ(proofs.answer(0, goal, 100, Question::Holds), std::nullopt);
  EXPECT_EQ(proofs.answer(1, goal, 24, Question::Holds), std::nullopt);
}

// Two provers number their unknowns alike, but what they know of them differs.
TEST(Proofs, WhatOneProverKnowsIsNotSharedWithOthers) {
  const auto proofs = std::make_shared<Proofs>();
  const E i = variable("i");
  const E n = variable("n");
  for (const bool known : {true, false, true}) {
    Inequalities facts(Inequalities::Divisors::Proven, 24, proofs);
    const Polynomial gap = facts.of(n) - facts.of(i);
    if (known)
      facts.assume(gap - 1);
    EXPECT_EQ(facts.isNonNegative(gap), known);
    EXPECT_EQ(facts.isPositive(gap), known);
  }
  Inequalities maybeNegative(Inequalities::Divisors::Proven, 24, proofs);
  const Polynomial k = Polynomial::of(maybeNegative.unknown(false));
  EXPECT_FALSE(maybeNegative.isNonNegative(k * k + k));
  Inequalities natural(Inequalities::Divisors::Proven, 24, proofs);
  const Polynomial m = Polynomial::of(natural.unknown());
  EXPECT_TRUE(natural.isNonNegative(m * m + m));
}

// Of a polynomial that is too large terms are missing: it is found by those it has, which are others' too.
TEST(Proofs, NothingIsProvedOfWhatOverflows) {
  for (const bool askedBefore : {false, true}) {
    const auto proofs = std::make_shared<Proofs>();
    const E x = variable("x");
    const E y = variable("y");
    const E z = variable("z");
    auto known = [&](Inequalities &facts) {
      facts.assume(facts.of(y.e) - 1 - facts.of(z.e));
      facts.assume(facts.of(x.e) - 1000);
      const Polynomial least = facts.of(minE(x, 4).e);
      return least * Polynomial(std::int64_t{1} << 62) - facts.of(y.e) + facts.of(z.e);
    };
    if (askedBefore) {
      Inequalities first(Inequalities::Divisors::Proven, 24, proofs);
      const Polynomial large = known(first);
      first.assume(large);
      const Inequalities with = first.with(Inequalities::Choice(first.choices()[0]), false);
      EXPECT_TRUE(with.isNonNegative(first.of(y.e) - first.of(z.e) - 1));
    }
    Inequalities facts(Inequalities::Divisors::Proven, 24, proofs);
    facts.assumeDeciding(known(facts));
    EXPECT_FALSE(facts.isNonNegative(Polynomial(4) - facts.of(x.e))) << askedBefore;
  }
}

// Of numbers far from 0, by changing those that a broken fact is made of.
TEST(Proofs, ExamplesOfFactsAreFoundAndKept) {
  const auto proofs = std::make_shared<Proofs>();
  const E a = variable("a");
  const E b = variable("b");
  Inequalities facts(Inequalities::Divisors::Proven, 24, proofs);
  const Polynomial far = facts.of(a.e) - facts.of(b.e) * 7 - 60;
  facts.assume(far);
  facts.assume(facts.of(b.e) - 3);
  EXPECT_FALSE(facts.isNonNegative(facts.of(b.e) - 4));
  EXPECT_TRUE(facts.isNonNegative(facts.of(a.e) - facts.of(b.e) * 7 - 50));
  const auto examples = proofs->examples(proofs->with(proofs->with(0, far), facts.of(b.e) - 3));
  ASSERT_NE(examples, nullptr);
  EXPECT_FALSE(examples->empty());
  for (const Proofs::Values &values : *examples) {
    EXPECT_GE(far.at(values), 0);
    EXPECT_GE(values[1], 3);
  }
  EXPECT_EQ(proofs->examples(proofs->with(0, facts.of(b.e))), nullptr); // nobody asked
}

// The loop's end says which of two numbers a minimum in it is; of one that is not in it nothing is asked.
TEST(Proofs, SimplifyingTwiceWithThemGivesTheSame) {
  const E n = variable("n");
  const E t = variable("t");
  const E block = variable("block");
  const E i = variable("i");
  const E x = variable("x");
  Facts facts;
  facts.proofs = std::make_shared<Proofs>();
  facts.positive = {t.var()};
  const StmtPtr loop =
      upTo(i, maxE(minE((block + 1) * t, n), block * t) - block * t, {set(x, (i + t) / t)});
  const std::string alone = toString(simplify(loop, {{}, {t.var()}}));
  EXPECT_EQ(toString(simplify(loop, facts)), alone);
  EXPECT_EQ(toString(simplify(loop, facts)), alone);
}

} // namespace
} // namespace tangram::algebra
