#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class NormalizeLoops : public ::testing::Test, protected Kernel4 {
protected:
  E acc = variable("acc", Scalar::I32);
  E i = variable("i");

  static StmtPtr unrolled(const StmtPtr &loop) {
    auto copy = std::make_shared<ir::Stmt>(*loop);
    copy->unroll = 16;
    return copy;
  }

  StmtPtr dealt(const E &start, const E &end, const E &step, std::vector<StmtPtr> body) const {
    return unrolled(
        ir::forLoop(let(i, start), (i < end).e, addTo(i, step), ir::block(std::move(body))));
  }

  std::string counted(StmtPtr loop) const {
    return groupText(normalizeLoops(plan({lanes({std::move(loop)})})));
  }
};

TEST_F(NormalizeLoops, OfElementsThatAreDealtToWorkers) {
  EXPECT_EQ(counted(dealt(lane, n, N, {addTo(acc, in[i])})), R"(
parallel level 2 lane < N {
  for (index round = 0; round < (n + N - 1 - lane) / N; round += 1) {
    index i = lane + round * N;
    acc += in[i];
  }
}
)");
}

TEST_F(NormalizeLoops, AsManyForAllWorkersWhereThatIsKnown) {
  EXPECT_EQ(counted(dealt(lane, 1024, N, {addTo(acc, in[i])})), R"(
parallel level 2 lane < N {
  for (index round = 0; round < (1024 + N - 1) / N; round += 1) {
    index i = lane + round * N;
    if (1024 % N == 0 || i < 1024) {
      acc += in[i];
    }
  }
}
)");
}

TEST_F(NormalizeLoops, FromAnywhere) {
  EXPECT_NE(counted(dealt(p, n, N, {addTo(acc, in[i])})).find("(max(n, p) - p + (N - 1)) / N"),
            std::string::npos)
      << counted(dealt(p, n, N, {addTo(acc, in[i])}));
}

TEST_F(NormalizeLoops, NotWhereTheBodyTakesPart) {
  const StmtPtr skips = dealt(lane, n, N, {addTo(acc, in[i]), addTo(i, 1)});
  EXPECT_EQ(counted(skips), groupText(plan({lanes({skips})})));
  const StmtPtr ends = dealt(lane, n, N, {addTo(acc, in[i]), addTo(n, 1)});
  EXPECT_EQ(counted(ends), groupText(plan({lanes({ends})})));
}

TEST_F(NormalizeLoops, NotAStepOfOneOrOneThatIsNotKnown) {
  const StmtPtr ones = dealt(lane, n, 1, {addTo(acc, in[i])});
  EXPECT_EQ(counted(ones), groupText(plan({lanes({ones})})));
  const StmtPtr sizes = dealt(lane, n, n, {addTo(acc, in[i])});
  EXPECT_EQ(counted(sizes), groupText(plan({lanes({sizes})})));
}

TEST_F(NormalizeLoops, NotALoopThatIsNotUnrolled) {
  auto loop = std::make_shared<ir::Stmt>(*dealt(lane, n, N, {addTo(acc, in[i])}));
  loop->unroll = 0;
  EXPECT_EQ(counted(loop), groupText(plan({lanes({loop})})));
}

} // namespace
} // namespace tangram::codegen
