#include "codegen/analysis/round_footprints.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class RoundFootprintsTest : public ::testing::Test, protected Kernel4 {
protected:
  /// Of the innermost loop over j in what a group does.
  bool areApart(const StmtPtr &code) const {
    const LoweredPlan made = plan({code});
    RoundFootprints footprints(made);
    bool apart = false;
    ir::forEach(made.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::For && s.children[0]->var == j.var())
        apart = footprints.areApart(s);
    });
    return apart;
  }
  bool roundsAreApart(std::vector<StmtPtr> round) const {
    return areApart(upTo(j, n, std::move(round)));
  }

  E i = variable("i");
  E j = variable("j");
  E k = variable("k");
  E s = variable("s", Scalar::I32);
  E m = variable("m", Scalar::Index, VarKind::Param);
};

TEST_F(RoundFootprintsTest, ElementsOfTheirOwn) {
  EXPECT_TRUE(roundsAreApart({set(out[j], in[j])}));
  EXPECT_TRUE(roundsAreApart({set(out[p * n + j], out[p * n + j] + in[0])}));
  EXPECT_TRUE(roundsAreApart({set(out[j * 2], 0), set(out[j * 2 + 1], 1)}));
  EXPECT_TRUE(roundsAreApart({upTo(k, 4, {set(out[j * 4 + k], in[k])})}));
  EXPECT_TRUE(roundsAreApart({let(s, in[j]), set(s, s * 2), set(out[j], s)}));
}

TEST_F(RoundFootprintsTest, WhatOthersSeeOrChange) {
  EXPECT_FALSE(roundsAreApart({set(out[j], out[j + 1])}));
  EXPECT_FALSE(roundsAreApart({set(out[0], in[j])}));
  EXPECT_FALSE(roundsAreApart({set(out[j * 2], 0), set(out[j * 2 + 2], 1)}));
  EXPECT_FALSE(roundsAreApart({upTo(k, 5, {set(out[j * 4 + k], in[k])})}));
  EXPECT_FALSE(roundsAreApart({set(out[in[j]], 0)}));
  EXPECT_FALSE(roundsAreApart({set(s, s + in[j]), set(out[j], s)})); // carried from round to round
  EXPECT_FALSE(roundsAreApart({set(out[j], 0), ir::jump(StmtKind::Break)}));
  EXPECT_FALSE(roundsAreApart({let(s, in[j])})); // changes nothing
}

// The row above is another one, as far away as a row is long.
TEST_F(RoundFootprintsTest, RowsOfOneArray) {
  const StmtPtr below = set(out[i * n + j], out[(i - 1) * n + j]);
  EXPECT_TRUE(areApart(upTo(i, m, {when(i < 1, {}, {upTo(j, n, {below})})})));
  EXPECT_FALSE(areApart(upTo(i, m, {when(i < 1, {}, {upTo(j, n + 1, {below})})})));
  const E rows = variable("rows");
  EXPECT_TRUE(
      areApart(upTo(i, m, {let(rows, minE(n, m)), when(i < 1, {}, {upTo(j, rows, {below})})})));
}

// What stands for other numbers in other places is not taken for the same.
TEST_F(RoundFootprintsTest, VariablesThatChange) {
  const E at = variable("at");
  EXPECT_TRUE(roundsAreApart({set(out[j * 2], out[j * 2 + 1])}));
  EXPECT_FALSE(roundsAreApart({let(at, in[j]), set(out[j * 2], out[j * 2 + at])}));
  EXPECT_FALSE(areApart(ir::block(
      {let(at, m), let(k, at), set(at, at + 1), upTo(j, n, {set(out[k + j], out[at + j])})})));
}

} // namespace
} // namespace tangram::codegen
