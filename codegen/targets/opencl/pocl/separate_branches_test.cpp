#include "codegen/targets/opencl/pocl/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class SeparateBranches : public ::testing::Test, protected Kernel4 {
protected:
  StmtPtr meets() const { return ir::block({ir::barrier(1), lanes({set(a[lane], lane)})}); }
  StmtPtr other() const { return ir::block({lanes({set(a[lane], n)})}); }
};

TEST_F(SeparateBranches, WhereOneOfThemMeets) {
  EXPECT_EQ(groupText(separateBranches(plan({ir::ifThen((n < 2).e, other(), meets())}))), R"(
if (n < 2) {
  parallel level 2 lane < N {
    a[lane] = n;
  }
}
if (n >= 2) {
  barrier level 1;
  parallel level 2 lane < N {
    a[lane] = lane;
  }
}
)");
}

TEST_F(SeparateBranches, WhatTheFirstMayChangeIsAskedOnce) {
  const std::string text =
      groupText(separateBranches(plan({ir::ifThen((a[0] < 2).e, meets(), other())})));
  EXPECT_NE(text.find("bool holds = a[0] < 2;"), std::string::npos) << text;
  EXPECT_NE(text.find("if (!holds)"), std::string::npos) << text;
}

TEST_F(SeparateBranches, OthersStay) {
  const std::pair<StmtPtr, StmtPtr> branches[] = {{other(), other()}, {meets(), meets()}};
  for (const auto &[first, second] : branches) {
    const LoweredPlan kernel = plan({ir::ifThen((n < 2).e, first, second)});
    EXPECT_EQ(groupText(separateBranches(kernel)), groupText(kernel));
  }
}

} // namespace
} // namespace tangram::codegen
