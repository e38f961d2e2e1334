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
  E x = variable("x");

  static E choose(const E &condition, const E &a, const E &b) {
    return {ir::select(condition.e, a.e, b.e)};
  }
  /// The element of the row above, and below, in column c; 7 past the ends.
  E above(const E &row, const E &c) const {
    return choose(E(1) <= row, in[(row - 1) * width + c], 7);
  }
  E below(const E &row, const E &c) const {
    return choose(row + 1 < n, in[(row + 1) * width + c], 7);
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

  void expectSplit(const std::vector<StmtPtr> &body, bool itemsAreLoops) const {
    const LoweredPlan before = plan(body);
    const LoweredPlan after = splitIndexSetsOfRounds(before, itemsAreLoops);
    ASSERT_NE(groupText(after), groupText(before));
    for (int n = 0; n < 44; n += n < 9 ? 1 : 5) {
      for (int lanes = 1; lanes < 6; lanes += 2)
        EXPECT_EQ(outOf(after, *this, n, 1, lanes), outOf(before, *this, n, 1, lanes))
            << n << " rows, " << lanes << " lanes" << groupText(after);
    }
  }

  void expectLeftAlone(const std::vector<StmtPtr> &body, bool itemsAreLoops) const {
    EXPECT_EQ(groupText(splitIndexSetsOfRounds(plan(body), itemsAreLoops)), groupText(plan(body)));
  }

  /// for (j = lane; j < n; j += N) body
  StmtPtr strided(std::vector<StmtPtr> body) const {
    return ir::forLoop(let(j, lane), (j < n).e, ir::assign(j.e, "+=", N.e),
                       ir::block(std::move(body)));
  }
};

TEST_F(SplitIndexSetsOfRounds, WhetherThereIsARowIsAskedBeforeTheLoopAlongIt) {
  const std::vector<StmtPtr> body{
      upTo(i, n, {upTo(j, n, {set(out[i * n + j], choose(E(1) <= i, in[(i - 1) * n + j], 7))})})};
  EXPECT_EQ(groupText(splitIndexSetsOfRounds(plan(body), true)), R"(
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
  expectLeftAlone({upTo(i, n, {upTo(j, n, {set(out[i * n + j], above(j, i))})})}, true);
  expectLeftAlone({upTo(i, n, {upTo(j, n, {set(out[i * n + j], in[minE(i + 1, n - 1) * n + j])})})},
                  true);
}

TEST_F(SplitIndexSetsOfRounds, LanesThatHaveAnElementEach) {
  const StmtPtr lanesOfARow =
      ir::parallel(2, ir::Span::All, lane.var(), n.e,
                   ir::block({set(out[lane], choose(E(2) <= lane, in[lane - 2], 7))}));
  EXPECT_EQ(groupText(splitIndexSetsOfRounds(plan({lanesOfARow}), true)), R"(
index inside = min(2, n);
parallel level 2 lane < inside {
  out[lane] = 2 <= lane ? in[lane - 2] : 7;
}
parallel level 2 lane < n - inside {
  out[inside + lane] = (index)in[inside + lane - 2];
}
)");
  expectSplit({lanesOfARow}, true);
}

TEST_F(SplitIndexSetsOfRounds, ItemsAskOnceForEachRoundAndAlikeInAWarp) {
  const std::vector<StmtPtr> body{
      lanes({strided({upTo(i, width, {set(out[j * width + i], above(j, i) + below(j, i))})})})};
  const std::string text = groupText(splitIndexSetsOfRounds(plan(body), false));
  EXPECT_NE(text.find("bool inside = 1 <= j && j + 1 < n;"), std::string::npos) << text;
  EXPECT_NE(text.find("out[j * 5 + i] = (index)in[(j - 1) * 5 + i] + (index)in[(j + 1) * 5 + i];"),
            std::string::npos)
      << text;
  expectSplit(body, false);
  composer::Machine machine;
  machine.costs.lanes = 8;
  LoweredPlan warps = plan(body);
  warps.machine = &machine;
  const std::string aligned = groupText(splitIndexSetsOfRounds(warps, false));
  EXPECT_NE(aligned.find("bool inside = 1 <= j - (j & 7) && (j | 7) + 1 < n;"), std::string::npos)
      << aligned;
}

TEST_F(SplitIndexSetsOfRounds, ItemsThatGoAlongADimensionHaveThreeLoops) {
  const std::vector<StmtPtr> body{
      lanes({upTo(j, n,
                  {set(out[j * N + lane], choose(E(1) <= j, in[(j - 1) * N + lane], 7) +
                                              choose(j + 1 < n, in[(j + 1) * N + lane], 9))})})};
  EXPECT_NE(groupText(splitIndexSetsOfRounds(plan(body), false))
                .find("for (index j = inside; j < outside;"),
            std::string::npos);
  expectSplit(body, false);
}

TEST_F(SplitIndexSetsOfRounds, ItemsWithTilesOfTheirOwnAskOnceForATile) {
  const std::vector<StmtPtr> body{
      lanes({let(x, lane * 4 + minE(n, 3)),
             upTo(i, 4, {set(out[x + i], choose(x + i < n, in[x + i], 7))})})};
  const std::string text = groupText(splitIndexSetsOfRounds(plan(body), false));
  EXPECT_NE(text.find("bool inside = x + 3 < n;"), std::string::npos) << text;
  expectSplit(body, false);
}

TEST_F(SplitIndexSetsOfRounds, OnlyWhatIsInsideIsLookedInto) {
  const E inside = variable("flag", Scalar::Bool);
  const StmtPtr rows = strided({upTo(i, width, {set(out[j * width + i], above(j, i))})});
  const std::string text = groupText(splitIndexSetsOfRounds(
      plan({ir::declare(inside.var(), (E(1) <= group).e),
            lanes({ir::ifThen(inside.e, ir::block({rows}), ir::block({rows}))})}),
      false));
  const std::size_t first = text.find("bool inside = 1 <= j;");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("bool inside", first + 1), std::string::npos) << text;
}

TEST_F(SplitIndexSetsOfRounds, ElementsThatAreFoundByRemaindersAreLeftAlone) {
  const E row{ir::select((j < n).e, j.e, ir::binary("%", j.e, n.e))};
  expectLeftAlone(
      {lanes({strided({upTo(
          i, width, {set(out[j * width + i], choose(E(1) <= j, in[row * width + i], 7))})})})},
      false);
}

TEST_F(SplitIndexSetsOfRounds, OneElementARoundIsLeftAlone) {
  expectLeftAlone({lanes({strided({set(out[j], choose(E(1) <= j, in[j - 1], 7))})})}, false);
}

} // namespace
} // namespace tangram::codegen
