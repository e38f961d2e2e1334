#include "algebra/overlap.h"

#include <gtest/gtest.h>

namespace tangram::algebra {
namespace {

class Overlap : public ::testing::Test {
protected:
  Polynomial number(std::int64_t atLeast = 0) {
    Polynomial p = Polynomial::of(facts.unknown());
    facts.assume(p - atLeast);
    return p;
  }
  bool apart(const Lmad &a, const Lmad &b) const { return disjoint(a, b, facts); }

  Inequalities facts;
};

TEST_F(Overlap, Points) {
  Polynomial n = number();
  EXPECT_TRUE(apart({n, {}}, {n + 1, {}}));
  EXPECT_FALSE(apart({n, {}}, {n, {}}));
  EXPECT_FALSE(apart({n, {}}, {number(), {}}));
}

TEST_F(Overlap, TilesOneAfterTheOther) {
  Polynomial t = number(1);
  Polynomial i = number();
  EXPECT_TRUE(apart({i * t, {{t, 1}}}, {(i + 1) * t, {{t, 1}}}));
  EXPECT_FALSE(apart({i * t, {{t + 1, 1}}}, {(i + 1) * t, {{t, 1}}}));
  // Any later one.
  EXPECT_TRUE(apart({i * t, {{t, 1}}}, {(i + 1 + number()) * t, {{t, 1}}}));
  EXPECT_FALSE(apart({i * t, {{t, 1}}}, {(i + number()) * t, {{t, 1}}}));
}

// Blocks of 4 that end where the container does: the even ones against the odd ones.
TEST_F(Overlap, BlocksWithGaps) {
  Polynomial n = number();
  Polynomial i = number();
  Polynomial j = number();
  Polynomial endOfEven = number();
  Polynomial endOfOdd = number();
  facts.assume(i * 8 + 4 - endOfEven);
  facts.assume(n - endOfEven);
  facts.assume(j * 8 + 8 - endOfOdd);
  facts.assume(n - endOfOdd);
  Lmad even{i * 8, {{endOfEven - i * 8, 1}}};
  Lmad odd{j * 8 + 4, {{endOfOdd - j * 8 - 4, 1}}};
  facts.assume(j - i - 1);
  EXPECT_TRUE(apart(even, odd));
}

TEST_F(Overlap, NothingMeetsNothing) {
  Polynomial n = number();
  EXPECT_TRUE(apart({n, {{0, 1}}}, {n, {{5, 1}}}));
  // Not known to be empty: n elements.
  EXPECT_FALSE(apart({0, {{n, 1}}}, {0, {{5, 1}}}));
}

TEST_F(Overlap, InterleavedStrides) {
  Polynomial p = number(1);
  Polynomial n = number();
  Polynomial i = number();
  Polynomial j = number();
  facts.assume(j - i - 1);
  facts.assume(p - j - 1);
  EXPECT_TRUE(apart({i, {{n, p}}}, {j, {{n, p}}}));
  // Three elements apart where there are two in between only.
  EXPECT_TRUE(apart({i * 2, {{n, p * 2}, {2, 1}}}, {j * 2, {{n, p * 2}, {2, 1}}}));
  EXPECT_FALSE(apart({i * 2, {{n, p * 2}, {3, 1}}}, {j * 2, {{n, p * 2}, {3, 1}}}));
}

TEST_F(Overlap, ADivisorOfAllStridesButNotOfTheDistance) {
  Polynomial n = number();
  EXPECT_TRUE(apart({0, {{n, 2}}}, {1, {{n, 2}}}));
  EXPECT_TRUE(apart({n * 4, {{n, 6}, {n, 4}}}, {1, {{n, 2}}}));
  EXPECT_FALSE(apart({0, {{n, 6}, {n, 4}}}, {2, {{n, 2}}}));
  EXPECT_FALSE(apart({0, {{n, 2}}}, {1, {{n, 3}}}));
}

TEST_F(Overlap, NegativeStrides) {
  Polynomial n = number(1);
  // n - 1, n - 2, ... 0 and n, n + 1, ...
  EXPECT_TRUE(apart({n - 1, {{n, -1}}}, {n, {{n, 1}}}));
  EXPECT_FALSE(apart({n, {{n, -1}}}, {n, {{n, 1}}}));
}

// Erratum E1 of the notes: tau + s * d + 1 in the place of tau + (s - 1) * d would say that
// 10, 8, 6 starts at 5.
TEST_F(Overlap, NegativeStridesEndAtTheirLastElement) {
  EXPECT_FALSE(apart({10, {{3, -2}}}, {6, {}}));
  EXPECT_TRUE(apart({10, {{3, -2}}}, {5, {}}));
  EXPECT_TRUE(apart({10, {{3, -2}}}, {4, {}}));
  EXPECT_TRUE(apart({10, {{3, -2}}}, {12, {}}));
}

// Erratum E2: t2 + s2 in the place of the span t2 + (s2 - 1) * d2 would say that 0, 5, 10 ends
// before 4.
TEST_F(Overlap, AnIntervalEndsAtItsLastElement) {
  EXPECT_FALSE(apart({10, {}}, {0, {{3, 5}}}));
  EXPECT_FALSE(apart({4, {{4, 2}}}, {0, {{3, 5}}}));
  EXPECT_TRUE(apart({11, {{4, 2}}}, {0, {{3, 5}}}));
}

// Erratum E3: splitting the dimension above the one that overlaps gains nothing; these two
// need the one below.
TEST_F(Overlap, ADimensionIsSplitThatReachesIntoTheOneAbove) {
  // 0..4 and 10..14 against 5..9, 15..19: rows of 10, the second two shifted by 5.
  EXPECT_TRUE(apart({0, {{2, 10}, {5, 1}}}, {5, {{2, 10}, {5, 1}}}));
  // Rows of 4 with 6 elements from column 3 on: they go on in the next row.
  EXPECT_TRUE(apart({3, {{3, 8}, {6, 1}}}, {9, {{2, 8}, {2, 1}}}));
  EXPECT_FALSE(apart({3, {{3, 8}, {6, 1}}}, {9, {{2, 8}, {3, 1}}}));
}

TEST_F(Overlap, TilesOfAMatrix) {
  Polynomial rows = number(1);
  Polynomial columns = number(1);
  Polynomial t = number(1);
  Polynomial r = number();
  Polynomial c = number();
  facts.assume(columns - (c + 2) * t);
  facts.assume(rows - (r + 2) * t);
  Lmad tile{r * t * columns + c * t, {{t, columns}, {t, 1}}};
  EXPECT_TRUE(apart(tile, {(r + 1) * t * columns + c * t, {{t, columns}, {t, 1}}}));
  EXPECT_TRUE(apart(tile, {r * t * columns + (c + 1) * t, {{t, columns}, {t, 1}}}));
  EXPECT_TRUE(apart(tile, {(r + 1) * t * columns + (c + 1) * t, {{t, columns}, {t, 1}}}));
  EXPECT_FALSE(apart(tile, {r * t * columns + (c + 1) * t - 1, {{t, columns}, {t, 1}}}));
  // The same seen from the columns: a tile of the transposed matrix.
  EXPECT_TRUE(apart({r * t * columns + c * t, {{t, 1}, {t, columns}}},
                    {r * t * columns + (c + 1) * t, {{t, columns}, {t, 1}}}));
}

TEST_F(Overlap, BlocksOnTheDiagonal) {
  Polynomial n = number(1);
  Polynomial b = number(1);
  Polynomial i = number();
  Polynomial j = number();
  facts.assume(j - i - 1);
  facts.assume(n - (j + 1) * b);
  EXPECT_TRUE(apart({i * b * (n + 1), {{b, n}, {b, 1}}}, {j * b * (n + 1), {{b, n}, {b, 1}}}));
  // A block against the rest of its row of blocks.
  EXPECT_TRUE(apart({i * b * (n + 1), {{b, n}, {b, 1}}},
                    {i * b * (n + 1) + b, {{b, n}, {n - (i + 1) * b, 1}}}));
}

TEST_F(Overlap, LudInteriorAgainstItsPanels) {
  Polynomial n = number(1);
  Polynomial b = number(1);
  Polynomial k = number();
  Polynomial rest = number(1); // elements behind the block
  facts.assume(n - (k + 1) * b - rest);
  facts.assume((k + 1) * b + rest - n);
  Polynomial corner = k * b * (n + 1);
  Lmad interior{corner + b * n + b, {{rest, n}, {rest, 1}}};
  EXPECT_TRUE(apart(interior, {corner + b, {{b, n}, {rest, 1}}}));
  EXPECT_TRUE(apart(interior, {corner + b * n, {{rest, n}, {b, 1}}}));
  EXPECT_TRUE(apart(interior, {corner, {{b, n}, {b, 1}}}));
  EXPECT_FALSE(apart(interior, {corner, {{b + 1, n}, {b + 1, 1}}}));
}

/// The blocks on an antidiagonal of a matrix of n = q * b + 1 columns, and what they read.
class Antidiagonal : public Overlap {
protected:
  Polynomial q = number(2);
  Polynomial b = number(2);
  Polynomial i = number(1);
  Polynomial n = q * b + 1;
  Polynomial step = n * b - b;
  Lmad blocks{i * b + n + 1, {{i + 1, step}, {b, n}, {b, 1}}};
};

TEST_F(Antidiagonal, BlocksAndTheColumnsToTheirLeft) {
  EXPECT_TRUE(apart(blocks, {i * b, {{i + 1, step}, {b + 1, n}}}));
}

TEST_F(Antidiagonal, BlocksAndTheRowsAboveThem) {
  EXPECT_TRUE(apart(blocks, {i * b + 1, {{i + 1, step}, {b, 1}}}));
}

TEST_F(Antidiagonal, TheBlocksAmongThemselves) {
  Polynomial x = number();
  Polynomial y = number();
  facts.assume(y - x - 1);
  facts.assume(i - y);
  Lmad one{i * b + n + 1 + x * step, {{b, n}, {b, 1}}};
  Lmad other{i * b + n + 1 + y * step, {{b, n}, {b, 1}}};
  EXPECT_TRUE(apart(one, other));
}

TEST_F(Antidiagonal, ABlockThatIsOneColumnWiderMeetsWhatIsRead) {
  Lmad wider = blocks;
  wider.offset = wider.offset - 1;
  EXPECT_FALSE(apart(wider, {i * b, {{i + 1, step}, {b + 1, n}}}));
}

// A diagonal of a 10 x 10 matrix that is written element by element: i against what comes later.
TEST_F(Overlap, AnElementOfAnAntidiagonalAndTheOthers) {
  Polynomial i = number();
  facts.assume(Polynomial(9) - i);
  Lmad written{i * 9 + 9, {}};
  EXPECT_TRUE(apart(written, {9, {{i, 9}}}));
  EXPECT_TRUE(apart(written, {i * 9 + 18, {{Polynomial(9) - i, 9}}}));
  EXPECT_FALSE(apart(written, {9, {{i + 1, 9}}}));
}

TEST_F(Overlap, SetsMeetWhereTwoOfTheirMembersDo) {
  Polynomial n = number(1);
  Lmad first{0, {{n, 1}}};
  Lmad second{n, {{n, 1}}};
  Lmad third{n * 2, {{n, 1}}};
  EXPECT_TRUE(disjoint(std::vector{first, third}, std::vector{second}, facts));
  EXPECT_FALSE(disjoint(std::vector{first, third}, std::vector{second, third}, facts));
  EXPECT_TRUE(disjoint(std::vector<Lmad>{}, std::vector{first}, facts));
}

} // namespace
} // namespace tangram::algebra
