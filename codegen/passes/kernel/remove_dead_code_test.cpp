#include "codegen/passes/kernel/passes.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using namespace ir;

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

TEST_F(RemoveDeadCode, LoopsAndWorkersWithoutARoundGo) {
  const VarPtr worker = newVariable("worker", Scalar::Index, VarKind::Worker);
  const E i = variable("i", Scalar::Index), k = variable("k", Scalar::I32);
  const StmtPtr never =
      parallel(2, Span::Turns, worker, intLiteral(0), block({set(out[E(varRef(worker))], 1)}));
  EXPECT_EQ(left({never, countingLoop(i.var(), n, block({set(out[i], 1)}), n),
                  countingLoop(k.var(), intLiteral(3, Scalar::I32), block({set(out[k], 1)}),
                               intLiteral(5, Scalar::I32)),
                  whileLoop(intLiteral(0, Scalar::Bool), block({set(out[0], 2)})), set(out[0], 3)}),
            R"(
out[0] = 3;
)");
}

TEST_F(RemoveDeadCode, BranchesOfConstantsAndWhatStandsBehindAJump) {
  const E i = variable("i", Scalar::Index);
  const E yes(intLiteral(1, Scalar::Bool)), no(intLiteral(0, Scalar::Bool));
  EXPECT_EQ(left({when(no, {set(out[0], 1)}), when(yes, {set(out[0], 2)}, {set(out[0], 3)}),
                  countingLoop(i.var(), n,
                               block({when(equals(in[i], 0), {jump(StmtKind::Continue)},
                                           {set(out[i], 4), jump(StmtKind::Break)}),
                                      set(out[i], 5)}))}),
            R"(
out[0] = 2;
for (index i = 0; i < n; i += 1) {
  if (in[i] == 0) {
    continue;
  }
  else {
    out[i] = 4;
    break;
  }
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
