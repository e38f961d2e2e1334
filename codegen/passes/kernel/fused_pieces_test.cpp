#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class FusePieces : public ::testing::Test, protected Kernel4 {
protected:
  std::string joined(std::vector<StmtPtr> body) const {
    return groupText(fusePieces(plan(std::move(body))));
  }
};

TEST_F(FusePieces, PiecesWhoseItemsMindTheirOwnElementsBecomeOne) {
  EXPECT_EQ(joined({lanes({set(a[lane], in[lane])}), lanes({set(b[lane], a[lane])})}), R"(
parallel level 2 lane < N {
  a[lane] = in[lane];
  b[lane] = a[lane];
}
)");
}

TEST_F(FusePieces, TheSecondPiecesWorkerTakesTheNameOfTheFirst) {
  E other = variable("other", Scalar::Index, VarKind::Worker);
  StmtPtr second =
      ir::parallel(2, ir::Span::All, other.var(), N.e, ir::block({set(b[other], a[other])}));
  EXPECT_EQ(joined({lanes({set(a[lane], 1)}), second}), R"(
parallel level 2 lane < N {
  a[lane] = 1;
  b[lane] = a[lane];
}
)");
}

TEST_F(FusePieces, AnItemThatReadsAnothersElementStaysApart) {
  std::string expected = R"(
parallel level 2 lane < N {
  a[lane] = in[lane];
}
parallel level 2 lane < N {
  b[lane] = a[lane + 1];
}
)";
  EXPECT_EQ(joined({lanes({set(a[lane], in[lane])}), lanes({set(b[lane], a[lane + 1])})}),
            expected);
}

TEST_F(FusePieces, AReadOfAnotherItemsElementIsNotOvertakenByItsWrite) {
  EXPECT_EQ(joined({lanes({set(b[lane], a[lane + 1])}), lanes({set(a[lane], 0)})}), R"(
parallel level 2 lane < N {
  b[lane] = a[lane + 1];
}
parallel level 2 lane < N {
  a[lane] = 0;
}
)");
}

TEST_F(FusePieces, TheWholeGrownPieceCountsForTheNext) {
  EXPECT_EQ(joined({lanes({set(a[lane], 1)}), lanes({set(b[lane], 2)}),
                    lanes({set(out[lane], a[lane + 1])})}),
            R"(
parallel level 2 lane < N {
  a[lane] = 1;
  b[lane] = 2;
}
parallel level 2 lane < N {
  out[lane] = a[lane + 1];
}
)");
}

TEST_F(FusePieces, CommentsStayWithWhatTheyExplain) {
  EXPECT_EQ(joined({lanes({set(a[lane], 1)}), ir::comment("second"), lanes({set(b[lane], 2)}),
                    ir::comment("third"), lanes({set(out[lane], b[0])})}),
            R"(
parallel level 2 lane < N {
  a[lane] = 1;
  // second
  b[lane] = 2;
}
// third
parallel level 2 lane < N {
  out[lane] = b[0];
}
)");
}

TEST_F(FusePieces, PiecesOfTheFirstItemAloneBecomeOneButNotWithPiecesOfAll) {
  EXPECT_EQ(
      joined({firstLane({set(a[0], 1)}), firstLane({set(b[0], a[0])}), lanes({set(out[lane], 1)})}),
      R"(
parallel level 2 < 1 {
  a[0] = 1;
  b[0] = a[0];
}
parallel level 2 lane < N {
  out[lane] = 1;
}
)");
}

TEST_F(FusePieces, KernelsOfOneItemBecomeOne) {
  const auto kernel = [](StmtPtr piece) { return ir::oneOf(1, ir::block({std::move(piece)})); };
  LoweredPlan whole = plan({});
  whole.body =
      ir::block({kernel(firstLane({set(out[0], 1)})), kernel(firstLane({set(b[0], out[0])})),
                 kernel(lanes({set(b[lane], 2)}))});
  EXPECT_EQ("\n" + ir::toString(fusePieces(whole).body), R"(
parallel level 1 < 1 {
  parallel level 2 < 1 {
    out[0] = 1;
    b[0] = out[0];
  }
}
parallel level 1 < 1 {
  parallel level 2 lane < N {
    b[lane] = 2;
  }
}
)");
}

TEST_F(FusePieces, WhatAllItemsExecuteKeepsPiecesApart) {
  E x = variable("x");
  EXPECT_EQ(joined({lanes({set(a[lane], 1)}), let(x, 3), lanes({set(b[lane], x)})}), R"(
parallel level 2 lane < N {
  a[lane] = 1;
}
index x = 3;
parallel level 2 lane < N {
  b[lane] = x;
}
)");
}

TEST_F(FusePieces, BranchesUnderOneConditionBecomeOne) {
  EXPECT_EQ(joined({lanes({when(lane < n, {set(a[lane], 1)})}),
                    lanes({when(lane < n, {set(b[lane], 2)})})}),
            R"(
parallel level 2 lane < N {
  if (lane < n) {
    a[lane] = 1;
    b[lane] = 2;
  }
}
)");
}

TEST_F(FusePieces, BranchesStayTwoWhenTheFirstChangesTheConditionByAnAtomicOperation) {
  auto add = std::make_shared<ir::Expr>(
      *ir::node(ExprKind::Atomic, ir::scalarType(Scalar::I32), {a[lane], in[lane]}));
  add->op = "add";
  E positive = E(0) < a[lane];
  EXPECT_EQ(joined({lanes({when(positive, {ir::eval(add)})}),
                    lanes({when(positive, {set(b[lane], 1)})})}),
            R"(
parallel level 2 lane < N {
  if (0 < a[lane]) {
    atomicAdd(a[lane], in[lane]);
  }
  if (0 < a[lane]) {
    b[lane] = 1;
  }
}
)");
}

TEST_F(FusePieces, BranchesStayTwoWhenTheFirstChangesTheCondition) {
  E x = variable("x");
  EXPECT_EQ(joined({lanes({let(x, lane), when(x < n, {set(x, x + n)})}),
                    lanes({when(x < n, {set(b[lane], 2)})})}),
            R"(
parallel level 2 lane < N {
  index x = lane;
  if (x < n) {
    x = x + n;
  }
  if (x < n) {
    b[lane] = 2;
  }
}
)");
  EXPECT_EQ(joined({lanes({when(a[lane] < n, {set(a[lane], n)})}),
                    lanes({when(a[lane] < n, {set(b[lane], 2)})})}),
            R"(
parallel level 2 lane < N {
  if (a[lane] < n) {
    a[lane] = n;
  }
  if (a[lane] < n) {
    b[lane] = 2;
  }
}
)");
}

} // namespace
} // namespace tangram::codegen
