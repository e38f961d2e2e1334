#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class TidyDeclarations : public ::testing::Test, protected Kernel4 {
protected:
  E x = variable("x", Scalar::I32);
  E i = variable("i");

  std::string tidied(std::vector<StmtPtr> body) const {
    return groupText(tidyDeclarations(plan(std::move(body))));
  }
};

TEST_F(TidyDeclarations, ADeclarationMeetsItsFirstAssignment) {
  EXPECT_EQ(tidied({let(x), set(out[0], 1), set(x, in[0]), set(out[1], x)}), R"(
out[0] = 1;
int x = in[0];
out[1] = x;
)");
}

TEST_F(TidyDeclarations, NotAnAssignmentThatReadsIt) {
  EXPECT_EQ(tidied({let(x), set(x, x + 1), set(out[1], x)}), R"(
int x;
x = x + 1;
out[1] = x;
)");
  EXPECT_EQ(tidied({let(x), addTo(x, 1), set(out[1], x)}), R"(
int x;
x += 1;
out[1] = x;
)");
}

TEST_F(TidyDeclarations, NotAnAssignmentThatOnlySometimesHappens) {
  EXPECT_EQ(tidied({let(x), when(n < 3, {set(x, 1)}, {set(x, 2)}), set(out[1], x)}), R"(
int x;
if (n < 3) {
  x = 1;
}
else {
  x = 2;
}
out[1] = x;
)");
}

TEST_F(TidyDeclarations, ADeclarationMovesIntoTheOnlyPieceThatUsesIt) {
  EXPECT_EQ(tidied({let(x), lanes({when(lane < n, {set(x, 1)}), set(out[lane], x)})}), R"(
parallel level 2 lane < N {
  int x;
  if (lane < n) {
    x = 1;
  }
  out[lane] = x;
}
)");
}

TEST_F(TidyDeclarations, NotWhenTwoPiecesUseIt) {
  EXPECT_EQ(tidied({let(x), lanes({set(x, 1)}), lanes({set(out[lane], x)})}), R"(
int x;
parallel level 2 lane < N {
  x = 1;
}
parallel level 2 lane < N {
  out[lane] = x;
}
)");
}

TEST_F(TidyDeclarations, IntoALoopWhoseEveryRoundSetsItFirst) {
  EXPECT_EQ(tidied({let(x), upTo(i, n, {set(x, in[i]), set(out[i], x)})}), R"(
for (index i = 0; i < n; i += 1) {
  int x = in[i];
  out[i] = x;
}
)");
}

TEST_F(TidyDeclarations, NotIntoALoopThatCarriesItAlong) {
  EXPECT_EQ(tidied({let(x), upTo(i, n, {when(i < 1, {set(x, 1)}), set(out[i], x)})}), R"(
int x;
for (index i = 0; i < n; i += 1) {
  if (i < 1) {
    x = 1;
  }
  out[i] = x;
}
)");
  EXPECT_EQ(tidied({let(x), upTo(i, x, {set(x, in[i]), set(out[i], x)})}), R"(
int x;
for (index i = 0; i < x; i += 1) {
  x = in[i];
  out[i] = x;
}
)");
}

TEST_F(TidyDeclarations, NeitherValuesNorArraysMove) {
  E array = variable("array", Scalar::I32, VarKind::Local, ir::intLiteral(4));
  EXPECT_EQ(
      tidied({let(x, in[0]), let(array), lanes({set(array[0], x), set(out[lane], array[0])})}),
      R"(
int x = in[0];
int array[4];
parallel level 2 lane < N {
  array[0] = x;
  out[lane] = array[0];
}
)");
}

TEST_F(TidyDeclarations, BlocksInBlocksAreOpenedUp) {
  EXPECT_EQ(tidied({let(x), ir::block({ir::block({set(out[0], 2)}), set(x, 3)}), set(out[1], x)}),
            R"(
out[0] = 2;
int x = 3;
out[1] = x;
)");
}

} // namespace
} // namespace tangram::codegen
