#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class UnrollLoads : public ::testing::Test, protected Kernel4 {
protected:
  E acc = variable("acc", Scalar::I32);
  E i = variable("i");
  E j = variable("j");
  composer::Machine machine;

  /// What each loop asks for, outer loops first.
  std::vector<unsigned> asked(std::vector<StmtPtr> body) const {
    std::vector<unsigned> times;
    LoweredPlan kernel = plan(std::move(body));
    kernel.machine = &machine;
    ir::forEach(unrollLoads(std::move(kernel)).body, [&](const Stmt &s) {
      if (s.kind == StmtKind::For || s.kind == StmtKind::While)
        times.push_back(s.unroll);
    });
    return times;
  }
};

TEST_F(UnrollLoads, ALoopThatLoadsGlobalMemory) {
  EXPECT_EQ(asked({lanes({upTo(i, n, {addTo(acc, in[i])})})}), std::vector<unsigned>{16});
}

TEST_F(UnrollLoads, FewerTimesTheMoreARoundLoads) {
  EXPECT_EQ(asked({lanes({upTo(i, n, {addTo(acc, in[i] * out[i])})})}), std::vector<unsigned>{8});
  EXPECT_EQ(asked({lanes({upTo(i, n, {addTo(acc, in[i] * in[i])})})}), std::vector<unsigned>{16});
}

TEST_F(UnrollLoads, NoMoreThanThereAreRounds) {
  EXPECT_EQ(asked({lanes({upTo(i, 6, {addTo(acc, in[i])})})}), std::vector<unsigned>{6});
}

TEST_F(UnrollLoads, AsOftenAsTheMachineSays) {
  machine.code.loadsInFlight = 6;
  EXPECT_EQ(asked({lanes({upTo(i, n, {addTo(acc, in[i])})})}), std::vector<unsigned>{6});
}

TEST_F(UnrollLoads, FewerTimesAroundChainsThatMultiplyTheLoads) {
  EXPECT_EQ(asked({lanes({upTo(i, n, {chains({addTo(acc, in[i + chain])})})})}),
            std::vector<unsigned>{4});
}

TEST_F(UnrollLoads, NotALoopThatReadsLocalMemoryAlone) {
  EXPECT_EQ(asked({lanes({upTo(i, n, {addTo(acc, a[i])})})}), std::vector<unsigned>{0});
}

TEST_F(UnrollLoads, OnlyTheInnermost) {
  EXPECT_EQ(asked({lanes({upTo(i, n, {upTo(j, n, {addTo(acc, in[i + j])})})})}),
            (std::vector<unsigned>{0, 16}));
}

TEST_F(UnrollLoads, NotALoopThatMayEndEarly) {
  EXPECT_EQ(
      asked({lanes({upTo(i, n, {addTo(acc, in[i]), when(acc < 3, {ir::jump(StmtKind::Break)})})})}),
      std::vector<unsigned>{0});
}

TEST_F(UnrollLoads, NotALoopThatSaysOtherwise) {
  auto never = std::make_shared<Stmt>(*upTo(i, n, {addTo(acc, in[i])}));
  never->unroll = 1;
  EXPECT_EQ(asked({lanes({never})}), std::vector<unsigned>{1});
}

} // namespace
} // namespace tangram::codegen
