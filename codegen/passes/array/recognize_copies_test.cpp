#include "codegen/passes/array/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class RecognizeCopies : public ::testing::Test, protected Kernel4 {
protected:
  E x = variable("x", Scalar::I32);

  StmtPtr inTurns(std::vector<StmtPtr> body) const {
    return ir::parallel(2, ir::Span::Turns, lane.var(), n.e, ir::block(std::move(body)));
  }

  /// Whether the pass says of `s` that it is a copy.
  bool isCopy(const StmtPtr &s) const {
    const LoweredPlan made = recognizeCopies(plan({s}));
    bool copies = false;
    ir::forEach(made.body, [&](const Stmt &each) { copies |= each.copies; });
    return copies;
  }
};

TEST_F(RecognizeCopies, WhatItemsInTurnsBringToLocalMemory) {
  EXPECT_TRUE(isCopy(inTurns({set(a[lane], in[lane])})));
  EXPECT_TRUE(isCopy(inTurns({let(x, in[lane]), set(a[lane], x * x)})));
}

TEST_F(RecognizeCopies, NothingElse) {
  EXPECT_FALSE(isCopy(inTurns({set(out[lane], in[lane])}))) << "to global memory";
  EXPECT_FALSE(isCopy(inTurns({set(a[lane], 0)}))) << "nothing is read";
  EXPECT_FALSE(isCopy(inTurns({set(a[lane], a[lane + 1])}))) << "from local memory";
  EXPECT_FALSE(isCopy(lanes({set(a[lane], in[lane])}))) << "an element of each item";
  EXPECT_FALSE(isCopy(inTurns({set(a[lane], in[lane]), set(out[lane], in[lane])}))) << "more";
  EXPECT_FALSE(isCopy(inTurns({chains({set(a[chain], in[lane])})}))) << "workers below";
}

} // namespace
} // namespace tangram::codegen
