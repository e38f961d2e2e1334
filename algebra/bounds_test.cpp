#include "algebra/bounds.h"

#include "algebra/expression_fixture.h"

namespace tangram::algebra {
namespace {

using namespace fixture;

/// i < n, lo <= t <= hi; m is a size.
class BoundsTest : public testing::Test {
protected:
  const E i = variable("i");
  const E t = variable("t");
  const E n = variable("n");
  const E m = variable("m");
  Bounds bounds{[this](const ir::Expr &e, bool upper) -> std::optional<Bound> {
    if (e.var == i.var())
      return upper ? Bound(bounds.facts().of(n)) - 1 : Bound(0);
    if (e.var == t.var())
      return Bound(upper ? 64 : 2);
    return std::nullopt;
  }};

  std::string end(const E &e, bool upper) {
    const Bound bound = bounds.extreme(e, upper);
    return bound ? ir::toString(bounds.expression(bound)) : "?";
  }
  std::string ends(const E &e) { return end(e, false) + " .. " + end(e, true); }
};

TEST_F(BoundsTest, SumsProductsAndQuotientsGrowWithTheirOperands) {
  EXPECT_EQ(ends(t + 3), "5 .. 67");
  EXPECT_EQ(ends(t * n), "2 * n .. 64 * n");
  EXPECT_EQ(ends(n / t), "n / 64 .. n / 2");
  EXPECT_EQ(ends(i * t), "0 .. 64 * n - 64");
  EXPECT_EQ(ends(E(10) - t), "0 .. ?") << "wraps around for t = 64";
  EXPECT_EQ(ends(E(100) - t), "36 .. 98");
  EXPECT_EQ(ends(m % t), "0 .. 63");
}

TEST_F(BoundsTest, SumsAndProductsOfWhatMayHaveWrappedAroundMayBeSmall) {
  const E w = wrappingVariable("w");
  EXPECT_EQ(ends(w), "w .. w");
  EXPECT_EQ(ends(w + 3), "0 .. w + 3");
  EXPECT_EQ(ends(w * 2), "0 .. 2 * w");
  EXPECT_EQ(ends(w / t * 64), "0 .. 64 * (w / 2)");
  EXPECT_FALSE(bounds.mayWrap(n + 3));
  EXPECT_TRUE(bounds.mayWrap(w + 3));
}

TEST_F(BoundsTest, OneEndOfALeastOrGreatestWillDo) {
  EXPECT_EQ(ends(minE(m, t)), "0 .. m") << "neither is known to be the smaller";
  EXPECT_EQ(ends(maxE(t, 1)), "2 .. 64");
  const E unknown = variable("a", Scalar::I32);
  EXPECT_EQ(end(minE(unknown, t), true), "64");
  EXPECT_EQ(end(maxE(unknown, t), true), "?");
}

TEST_F(BoundsTest, WhatIsBelowZeroDoesNotWiden) {
  const ir::ExprPtr below = ir::intLiteral(-3, Scalar::I32);
  EXPECT_EQ(end(ir::cast(Scalar::I64, below), true), "-3");
  EXPECT_EQ(end(ir::cast(Scalar::U64, below), true), "?");
  EXPECT_EQ(end(ir::cast(Scalar::U64, below), false), "0");
}

TEST_F(BoundsTest, FactsOfSizesDecideWhichEndIsTheSmaller) {
  EXPECT_EQ(end(maxE(n, m), true), "?");
  bounds.facts().assume(bounds.facts().of(m) - bounds.facts().of(n));
  EXPECT_EQ(end(maxE(n, m), true), "m");
  EXPECT_EQ(ends(m - n), "m - n .. m - n");
}

TEST_F(BoundsTest, WhatDoesNotFitIsUnknown) {
  const E large = ir::intLiteral(INT64_MAX);
  EXPECT_EQ(end(large + large, true), "?");
  EXPECT_EQ(end(large * n + large * n, true), "?");
}

/// Of a part of a part: t is known when compiling, n and the number of the part are not.
TEST_F(BoundsTest, DeepExpressionsAreLookedAtOnce) {
  E e = n;
  for (unsigned depth = 0; depth < 100; ++depth)
    e = (e + 3) / t; // asks for both ends of the sum
  EXPECT_TRUE(bounds.extreme(e, true).has_value());
}

TEST(UpperBoundOver, APartOfAPartHasAtMostAsManyElements) {
  const E t = variable("t", Scalar::Index, VarKind::Tunable);
  const E u = variable("u", Scalar::Index, VarKind::Tunable);
  const E n = variable("n");
  const E i = variable("i");
  const E length = variable("length");
  auto bound = [&](const E &e) {
    const ExprPtr found = upperBoundOver(
        e, [&](const ir::Expr &leaf) { return leaf.var == t.var() || leaf.var == u.var(); },
        [&](const ir::VarPtr &var) { return var == length.var() ? minE(t, n).e : nullptr; },
        {t.var(), u.var()});
    return found ? ir::toString(found) : "none";
  };
  EXPECT_EQ(bound(minE(t, n - minE(i * t, n))), "t");
  EXPECT_EQ(bound(length), "t");
  EXPECT_EQ(bound((length + u - 1) / u), "(t + u - 1) / u");
  EXPECT_EQ(bound((length + 63) / 64), "(t + 63) / 64");
  EXPECT_EQ(bound(minE(length, u)), "t") << "either will do";
  EXPECT_EQ(bound(maxE(length, u)), "none");
  EXPECT_EQ(bound(n), "none");
  EXPECT_EQ(bound((n + t - 1) / t), "none");
  EXPECT_EQ(bound(n % u), "u - 1");
}

} // namespace
} // namespace tangram::algebra
