#include "ir/expression_length.h"

#include "ir/large_literal.h"
#include "ir/stmt.h"

#include <gtest/gtest.h>

namespace tangram::ir {
namespace {

TEST(ExpressionLength, CountsNodesOfTheTree) {
  const ExprPtr one = intLiteral(1);
  EXPECT_FALSE(isLongerThan(nullptr, 0));
  EXPECT_FALSE(isLongerThan(one, 1));
  EXPECT_TRUE(isLongerThan(binary("+", one, one), 2));
  EXPECT_FALSE(isLongerThan(binary("+", one, one), 3));
}

TEST(ExpressionLength, ASmallGraphMayBeALongTree) {
  ExprPtr sum = intLiteral(1);
  for (int i = 0; i < 100; ++i)
    sum = binary("+", sum, sum);
  EXPECT_TRUE(isLongerThan(sum, mostNodesOfMeaning));
}

TEST(LargeLiteral, IsNoNumberWithASign) {
  const ExprPtr half = intLiteral(INT64_MIN, Scalar::U64);
  EXPECT_TRUE(isAboveSigned(*half));
  EXPECT_EQ(literalValue(half), std::nullopt);
  EXPECT_EQ(toString(half), "9223372036854775808u");
  EXPECT_EQ(toString(intLiteral(-1, Scalar::U64)), "18446744073709551615u");
  EXPECT_EQ(literalValue(intLiteral(INT64_MAX, Scalar::U64)), INT64_MAX);
  EXPECT_EQ(literalValue(intLiteral(-1, Scalar::I64)), -1);
}

} // namespace
} // namespace tangram::ir
