#include "codegen/passes/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class RemoveDeadCode : public ::testing::Test, protected Kernel4 {
protected:
  E x = variable("x", Scalar::I32);
  E y = variable("y", Scalar::I32);

  std::string left(std::vector<StmtPtr> body) const {
    return groupText(removeDeadCode(plan(std::move(body))));
  }
};

TEST_F(RemoveDeadCode, WhatNobodyReadsGoesAndThenWhatOnlyItRead) {
  EXPECT_EQ(left({let(x, in[0]), let(y, x + 1), set(y, x), set(out[0], 1)}), R"(
out[0] = 1;
)");
}

TEST_F(RemoveDeadCode, WhatIsReadStays) {
  EXPECT_EQ(left({let(x), set(x, in[0]), set(out[x], 1)}), R"(
int x;
x = in[0];
out[x] = 1;
)");
}

TEST_F(RemoveDeadCode, TheSizeOfAnArrayIsRead) {
  E array = variable("array", Scalar::I32, VarKind::Local, x.e);
  EXPECT_EQ(left({let(x, in[0]), let(array), set(array[0], 1), set(out[0], array[0])}), R"(
int x = in[0];
int array[x];
array[0] = 1;
out[0] = array[0];
)");
}

TEST_F(RemoveDeadCode, EmptyBranchesAndPiecesGo) {
  EXPECT_EQ(left({when(in[0] < 3, {let(x, 1)}), lanes({let(y, 2)}), lanes({ir::block({})}),
                  when(in[0] < 3, {}, {set(out[0], 1)})}),
            R"(
if (in[0] < 3) {
}
else {
  out[0] = 1;
}
)");
}

TEST_F(RemoveDeadCode, TemporariesNobodyUsesGoParametersStay) {
  LoweredPlan after = removeDeadCode(plan({lanes({set(out[lane], b[lane])})}));
  std::string names;
  for (const Buffer &each : after.buffers)
    names += each.var->name + " ";
  EXPECT_EQ(names, "in out b ");
}

} // namespace
} // namespace tangram::codegen
