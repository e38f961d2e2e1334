#include "codegen/targets/opencl/pocl/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class AddBarriersAfterRounds : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  StmtPtr stop = ir::jump(StmtKind::Break);
  StmtPtr next = ir::jump(StmtKind::Continue);
  StmtPtr meet = ir::barrier(1);

  std::string after(std::vector<StmtPtr> body) const {
    return groupText(addBarriersAfterRounds(plan(std::move(body))));
  }
};

TEST_F(AddBarriersAfterRounds, ALoopThatIsLeftInTheMiddleEndsItsRoundsAtABarrier) {
  EXPECT_EQ(after({upTo(i, n,
                        {when(i < p, {stop}), meet, when(i < N, {next}),
                         lanes({set(a[lane], in[lane])})})}),
            R"(
for (index i = 0; i < n; i += 1) {
  if (i < p) {
    break;
  }
  barrier level 1;
  if (i < N) {
    barrier level 1;
    continue;
  }
  parallel level 2 lane < N {
    a[lane] = in[lane];
  }
  barrier level 1;
}
)");
}

TEST_F(AddBarriersAfterRounds, OneThatStandsThereServes) {
  std::vector<StmtPtr> body{upTo(i, n, {when(i < p, {stop}), meet})};
  EXPECT_EQ(after(body), groupText(plan(body)));
}

TEST_F(AddBarriersAfterRounds, OtherLoopsStayAsTheyAre) {
  StmtPtr work = lanes({set(a[lane], in[lane])});
  std::vector<StmtPtr> body{upTo(i, n, {when(i < p, {stop}), work}), meet,
                            upTo(i, n, {when(i < p, {next}), meet, work})};
  EXPECT_EQ(after(body), groupText(plan(body)));
}

} // namespace
} // namespace tangram::codegen
