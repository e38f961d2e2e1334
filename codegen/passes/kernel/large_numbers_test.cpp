#include "codegen/passes/kernel/large_numbers.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class LargeNumbersTest : public ::testing::Test, protected Kernel4 {
protected:
  std::string largest(const std::vector<ExprPtr> &numbers) const {
    const LoweredPlan plan = this->plan({});
    algebra::Inequalities facts;
    facts.assume(facts.of(p.e) - 1);
    LargeNumbers large(plan, facts);
    for (const ExprPtr &each : numbers)
      large.add(each);
    return ir::toString(large.largest());
  }
  static ExprPtr extreme(const char *which, const E &a, const E &b) {
    return ir::call(which, ir::scalarType(Scalar::Index), {a.e, b.e});
  }
};

TEST_F(LargeNumbersTest, SmallOnesAreNone) {
  EXPECT_EQ(largest({}), "0");
  EXPECT_EQ(largest({ir::intLiteral(0x7fffffff)}), "0");
  EXPECT_EQ(largest({ir::intLiteral(0x80000000)}), "2147483648");
}

TEST_F(LargeNumbersTest, PartsOfOthersAreLeftOut) {
  EXPECT_EQ(largest({(n + p).e, ((n + p) / p).e, extreme("min", n * n, n)}), "n + p");
  EXPECT_EQ(largest({n.e, extreme("max", n, p), (n / p).e}), "max(n, p)");
}

TEST_F(LargeNumbersTest, WhatIsProvedIsLeftOut) {
  EXPECT_EQ(largest({n.e, (n * p).e}), "n * p") << "p is at least 1";
  EXPECT_EQ(largest({(n * p).e, (n * p + p).e, n.e}), "n * p + p");
}

TEST_F(LargeNumbersTest, WhatMayBeLargerIsNot) {
  EXPECT_EQ(largest({n.e, p.e}), "max(n, p)");
  EXPECT_EQ(largest({(n * n).e, (n + p).e}), "max(n * n, n + p)");
}

} // namespace
} // namespace tangram::codegen
