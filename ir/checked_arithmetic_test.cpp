#include "ir/checked_arithmetic.h"

#include <gtest/gtest.h>

namespace tangram::ir {
namespace {

TEST(CheckedArithmetic, HasAResultWhereTheTypeHasOne) {
  EXPECT_EQ(checkedSum(INT64_MAX - 1, 1), INT64_MAX);
  EXPECT_EQ(checkedDifference(INT64_MIN + 1, 1), INT64_MIN);
  EXPECT_EQ(checkedProduct(INT64_MIN / 2, 2), INT64_MIN);
  EXPECT_EQ(checkedQuotient(-7, 2), -3);
  EXPECT_EQ(checkedRemainder(-7, 2), -1);
  EXPECT_EQ(checkedQuotient(INT64_MAX, -1), -INT64_MAX);
  EXPECT_EQ(checkedRemainder(7, -1), 0);
}

TEST(CheckedArithmetic, NeitherWrapsNorTraps) {
  EXPECT_EQ(checkedSum(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checkedDifference(0, INT64_MIN), std::nullopt);
  EXPECT_EQ(checkedProduct(INT64_MIN, -1), std::nullopt);
  for (const std::int64_t by : {0, -1}) {
    EXPECT_EQ(checkedQuotient(INT64_MIN, by), std::nullopt);
    EXPECT_EQ(checkedRemainder(INT64_MIN, by), std::nullopt);
  }
}

TEST(CheckedArithmetic, RoundsOfLoops) {
  EXPECT_EQ(checkedRounds(0, 10, 3), 4);
  EXPECT_EQ(checkedRounds(0, INT64_MAX, INT64_MAX), 1);
  EXPECT_EQ(checkedRounds(1, 1, 1), 0);
  EXPECT_EQ(checkedRounds(INT64_MAX, INT64_MIN, 1), 0);
  EXPECT_EQ(checkedRounds(INT64_MIN, INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checkedRounds(0, 10, 0), std::nullopt);
  EXPECT_EQ(checkedRounds(0, 10, -1), std::nullopt);
}

} // namespace
} // namespace tangram::ir
