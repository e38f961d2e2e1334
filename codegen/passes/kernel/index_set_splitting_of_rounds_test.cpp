#include "codegen/passes/kernel/index_set_splitting.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

/// Rows of `width` elements, one after the other in `in` and `out`.
class SplitIndexSetsOfRounds : public ::testing::Test, protected Kernel4 {
protected:
  static constexpr int width = 5;
  E i = variable("i");
  E j = variable("j");

  static E choose(const E &condition, const E &a, const E &b) {
    return {ir::select(condition.e, a.e, b.e)};
  }
  /// The element of the row above in column c; 7 past the ends.
  E above(const E &row, const E &c) const {
    return choose(E(1) <= row, in[(row - 1) * width + c], 7);
  }

  static std::vector<std::int64_t> outOf(const LoweredPlan &plan, const Kernel4 &kernel, int n,
                                         int groups, int lanes) {
    Interpreter machine;
    machine.set(kernel.p, groups);
    machine.set(kernel.N, lanes);
    machine.set(kernel.K, 2);
    machine.set(kernel.n, n);
    auto &in = machine.memory[kernel.in.var().get()];
    for (int at = 0; at < 1000; ++at)
      in.push_back(at * at + 3);
    machine.memory[kernel.out.var().get()].assign(1000, -1);
    machine.run(plan.body);
    EXPECT_FALSE(machine.wrong) << ir::toString(plan.body);
    return machine.memory[kernel.out.var().get()];
  }

  void expectSplit(const std::vector<StmtPtr> &body) const {
    const LoweredPlan before = plan(body);
    const LoweredPlan after = splitIndexSetsOfRounds(before);
    ASSERT_NE(groupText(after), groupText(before));
    for (int n = 0; n < 44; n += n < 9 ? 1 : 5) {
      for (int lanes = 1; lanes < 6; lanes += 2)
        EXPECT_EQ(outOf(after, *this, n, 1, lanes), outOf(before, *this, n, 1, lanes))
            << n << " rows, " << lanes << " lanes" << groupText(after);
    }
  }

  void expectLeftAlone(const std::vector<StmtPtr> &body) const {
    EXPECT_EQ(groupText(splitIndexSetsOfRounds(plan(body))), groupText(plan(body)));
  }
};

TEST_F(SplitIndexSetsOfRounds, WhetherThereIsARowIsAskedBeforeTheLoopAlongIt) {
  const std::vector<StmtPtr> body{
      upTo(i, n, {upTo(j, n, {set(out[i * n + j], choose(E(1) <= i, in[(i - 1) * n + j], 7))})})};
  EXPECT_EQ(groupText(splitIndexSetsOfRounds(plan(body))), R"(
for (index i = 0; i < n; i += 1) {
  bool inside = 1 <= i;
  if (inside)
    for (index j = 0; j < n; j += 1) {
      out[i * n + j] = (index)in[(i - 1) * n + j];
    }
  else
    for (index j = 0; j < n; j += 1) {
      out[i * n + j] = 1 <= i ? in[(i - 1) * n + j] : 7;
    }
}
)");
}

TEST_F(SplitIndexSetsOfRounds, LoopsAlongEdgesAreLeftAlone) {
  // Some are past the end by the counter of the loop; which row it is can be chosen before the loop.
  expectLeftAlone({upTo(i, n, {upTo(j, n, {set(out[i * n + j], above(j, i))})})});
  expectLeftAlone(
      {upTo(i, n, {upTo(j, n, {set(out[i * n + j], in[minE(i + 1, n - 1) * n + j])})})});
}

TEST_F(SplitIndexSetsOfRounds, LanesThatHaveAnElementEach) {
  const StmtPtr lanesOfARow =
      ir::parallel(2, ir::Span::All, lane.var(), n.e,
                   ir::block({set(out[lane], choose(E(2) <= lane, in[lane - 2], 7))}));
  EXPECT_EQ(groupText(splitIndexSetsOfRounds(plan({lanesOfARow}))), R"(
index inside = min(2, n);
parallel level 2 lane < inside {
  out[lane] = 2 <= lane ? in[lane - 2] : 7;
}
parallel level 2 lane < n - inside {
  out[inside + lane] = (index)in[inside + lane - 2];
}
)");
  expectSplit({lanesOfARow});
}

} // namespace
} // namespace tangram::codegen
