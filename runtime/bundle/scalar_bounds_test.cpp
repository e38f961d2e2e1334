#include "runtime/bundle/scalar_bounds.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

using Range = std::pair<std::int64_t, std::int64_t>;

Parameter bounded(const std::vector<std::string> &constraints,
                  ir::Scalar element = ir::Scalar::U32) {
  Manifest manifest;
  manifest.signature.parameters.resize(1);
  Parameter &n = manifest.signature.parameters[0];
  n.name = "n";
  n.container = false;
  n.element = element;
  for (const std::string &each : constraints)
    manifest.constraints.push_back({*Expression::parse(each), "f requires " + each});
  boundScalars(manifest);
  return n;
}

Range under(const std::vector<std::string> &constraints, ir::Scalar element = ir::Scalar::U32) {
  const Parameter n = bounded(constraints, element);
  return {n.low, n.high};
}

Range extremesUnder(const std::vector<std::string> &constraints,
                    ir::Scalar element = ir::Scalar::U32) {
  const Parameter n = bounded(constraints, element);
  return {n.least, n.most};
}

TEST(ScalarBounds, AreThoseOfTheConstraintsThatNameTheScalarAlone) {
  EXPECT_EQ(under({}), Range(0, 11));
  EXPECT_EQ(under({"n <= 5"}), Range(0, 6));
  EXPECT_EQ(under({"n >= 1", "n <= 5"}), Range(1, 6));
  EXPECT_EQ(under({"n >= 100", "n < 200"}), Range(100, 111));
  EXPECT_EQ(under({"n > 1000"}), Range(1001, 1012));
  EXPECT_EQ(under({"n == 7"}), Range(7, 8));
  EXPECT_EQ(under({"n % 4 == 3"}), Range(3, 4));
  EXPECT_EQ(under({"n <= in_size"}), Range(0, 11));
}

TEST(ScalarBounds, ExtremesAreOfTheTypeOrTheConstraints) {
  EXPECT_EQ(extremesUnder({}, ir::Scalar::I8), Range(-128, 127));
  EXPECT_EQ(extremesUnder({}), Range(0, 4294967295));
  EXPECT_EQ(extremesUnder({}, ir::Scalar::I64), Range(INT64_MIN, INT64_MAX));
  EXPECT_EQ(extremesUnder({"n >= 1", "n <= 500"}), Range(1, 500));
  EXPECT_EQ(extremesUnder({"n > -20", "n < 300"}, ir::Scalar::I32), Range(-19, 299));
  EXPECT_EQ(extremesUnder({"n != 0"}, ir::Scalar::I32), Range(INT32_MIN, INT32_MAX));
}

TEST(ScalarBounds, StayUsualWhereNoValueIsFound) {
  EXPECT_EQ(under({"n >= 5", "n <= 2"}), Range(0, 11));
  EXPECT_EQ(under({"n >= 300"}, ir::Scalar::U8), Range(0, 11));
  EXPECT_EQ(under({"n >= 250"}, ir::Scalar::U8), Range(250, 256));
  EXPECT_EQ(under({"n >= 120"}, ir::Scalar::I8), Range(120, 128));
}

TEST(ScalarBounds, AreBelowZeroWhereOnlySuchNumbersMeetTheConstraints) {
  EXPECT_EQ(under({"n < 0"}, ir::Scalar::I32), Range(-11, 0));
  EXPECT_EQ(under({"n < 0", "n >= -3"}, ir::Scalar::I8), Range(-3, 0));
  EXPECT_EQ(under({"n <= -100"}, ir::Scalar::I64), Range(-101, -99));
  EXPECT_EQ(under({"n >= -10"}, ir::Scalar::I32), Range(0, 11));
  EXPECT_EQ(under({"n < 0"}), Range(0, 11));
}

} // namespace
} // namespace tangram::runtime
