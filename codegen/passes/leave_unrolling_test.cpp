#include "codegen/passes/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class LeaveUnrolling : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E j = variable("j");
  E k = variable("k");
  E acc = variable("acc", Scalar::I32);
  StmtPtr meet = ir::barrier(1);

  /// Asks for 8 rounds at once.
  StmtPtr unrolled() const {
    auto loop = std::make_shared<Stmt>(*upTo(k, n, {addTo(acc, in[k])}));
    loop->unroll = 8;
    return lanes({let(acc, in[lane]), loop});
  }

  /// What the loop that asks is left with.
  static unsigned left(LoweredPlan kernel) {
    unsigned times = 0;
    ir::forEach(leaveUnrolling(std::move(kernel)).body,
                [&](const Stmt &s) { times = std::max(times, s.unroll); });
    return times;
  }
};

TEST_F(LeaveUnrolling, ToTheCompilerBesideALoopAroundALoopWithBarriers) {
  EXPECT_EQ(left(plan({upTo(i, n, {upTo(j, n, {meet})}), unrolled()})), 0U);
}

TEST_F(LeaveUnrolling, TurnsOfGroupsAreALoop) {
  LoweredPlan kernel = plan({});
  kernel.body = ir::block({ir::parallel(1, ir::Span::Turns, group.var(), n.e,
                                        ir::block({upTo(j, n, {meet}), unrolled()}))});
  EXPECT_EQ(left(kernel), 0U);
}

TEST_F(LeaveUnrolling, OtherKernelsAskOn) {
  EXPECT_EQ(left(plan({upTo(j, n, {meet}), unrolled()})), 8U);
  EXPECT_EQ(left(plan({upTo(i, n, {upTo(j, n, {unrolled()})})})), 8U);
}

} // namespace
} // namespace tangram::codegen
