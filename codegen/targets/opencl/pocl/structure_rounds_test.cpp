#include "codegen/targets/opencl/pocl/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class StructureRounds : public ::testing::Test, protected Kernel4 {
protected:
  std::string after(std::vector<StmtPtr> round) const {
    return groupText(structureRounds(plan({upTo(i, 8, std::move(round))})));
  }
  static StmtPtr next() { return ir::jump(ir::StmtKind::Continue); }
  StmtPtr ifLess(std::vector<StmtPtr> body) const {
    return ir::ifThen((i < 2).e, ir::block(std::move(body)));
  }

  E i = variable("i");
};

TEST_F(StructureRounds, WhatFollowsTheEndOfARoundIsInTheOtherBranch) {
  EXPECT_EQ(
      after({ifLess({lanes({set(a[lane], 1)}), next()}), ir::barrier(1), lanes({set(a[lane], 2)})}),
      R"(
for (index i = 0; i < 8; i += 1) {
  if (i < 2) {
    parallel level 2 lane < N {
      a[lane] = 1;
    }
  }
  else {
    barrier level 1;
    parallel level 2 lane < N {
      a[lane] = 2;
    }
  }
}
)");
}

TEST_F(StructureRounds, OneEndMayFollowAnother) {
  EXPECT_EQ(after({ifLess({next()}), ir::barrier(1), ir::ifThen((i < 4).e, ir::block({next()})),
                   lanes({set(a[lane], 2)})}),
            R"(
for (index i = 0; i < 8; i += 1) {
  if (i >= 2) {
    barrier level 1;
    if (i >= 4) {
      parallel level 2 lane < N {
        a[lane] = 2;
      }
    }
  }
}
)");
}

TEST_F(StructureRounds, RoundsInWhichNobodyMeetsStay) {
  const std::string text = after({ifLess({next()}), lanes({set(a[lane], 2)})});
  EXPECT_NE(text.find("continue;"), std::string::npos) << text;
}

} // namespace
} // namespace tangram::codegen
