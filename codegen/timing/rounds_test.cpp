// The share of rounds in which a condition holds.
#include "codegen/timing/rounds.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using namespace ir;

class ShareOfRounds : public testing::Test {
protected:
  /// In a loop over `i` of eight rounds, in one over `j` of eight.
  double share(const ExprPtr &condition) {
    LoweredPlan plan;
    const composer::Machine machine = fixture::projected("cpu", "openmp");
    plan.machine = &machine;
    plan.target = traitsOf("openmp");
    WalkState state(plan, {}, false);
    std::size_t point = Samples::steps;
    for (const VarPtr &counter : {i, j}) {
      Samples number = Samples::all(0);
      number.at[point] = 1;
      state.values.set(counter.get(), number);
      state.nest.push_back({Walk::Kind::Loop, 8, point++});
    }
    return Rounds(state).shareOf(condition).at[Samples::base];
  }

  static ExprPtr compare(const VarPtr &counter, Operator op, std::int64_t with) {
    return binary(op, varRef(counter), intLiteral(with));
  }

  const VarPtr i = newVariable("i"), j = newVariable("j");
};

TEST_F(ShareOfRounds, AConditionOfMostRoundsHoldsInAll) {
  EXPECT_EQ(share(compare(i, "<", 8)), 1);
  EXPECT_EQ(share(compare(i, "<", 5)), 1);
  EXPECT_EQ(share(compare(i, ">=", 1)), 1);
}

TEST_F(ShareOfRounds, OneOfFewRoundsHoldsInThose) {
  EXPECT_EQ(share(compare(i, "<", 1)), 1.0 / 8);
  EXPECT_EQ(share(compare(i, "<=", 2)), 3.0 / 8);
  EXPECT_EQ(share(compare(i, ">=", 7)), 1.0 / 8);
  EXPECT_EQ(share(compare(i, ">", 7)), 0);
  EXPECT_EQ(share(compare(i, "<", 0)), 0);
}

TEST_F(ShareOfRounds, ConditionsOfTwoLoopsHoldTogether) {
  const ExprPtr first = compare(i, "<", 1), other = compare(j, "<", 2);
  EXPECT_EQ(share(binary("&&", first, other)), 1.0 / 32);
  EXPECT_EQ(share(binary("||", first, other)), 1.0 / 4);
  EXPECT_NEAR(share(binary("<", binary("+", varRef(i), varRef(j)), intLiteral(2))), 1.0 / 7, 1e-9);
}

/// Conditions at the edges of the data, of an item and of a group: both samples that they have in common, the first item of the
/// first group, lie at the edge.
class ShareAtEdges : public testing::Test {
protected:
  ShareAtEdges() {
    plan.machine = &machine;
    plan.target = traitsOf("opencl");
  }

  /// In a loop over `i` of four rounds that 64 items and 100 groups run.
  Spread spread(const ExprPtr &condition) {
    WalkState state(plan, {}, false);
    state.inLaunch = true;
    state.itemDepth = 1;
    Samples round = Samples::all(0);
    round.at[Samples::steps] = 1;
    state.values.set(i.get(), round);
    state.nest.push_back({Walk::Kind::Loop, 4, Samples::steps});
    Samples number = Samples::numberOfItems(64);
    number.at[Samples::items] = 1;
    state.values.set(item.get(), number);
    state.values.set(group.get(), Samples::numberOfGroups(100));
    if (jagged)
      state.jagged.insert(item.get());
    return state.spreadOf(Rounds(state).shareOf(condition));
  }

  ExprPtr atLeast(const VarPtr &number) const { return binary("<=", varRef(i), varRef(number)); }

  const composer::Machine machine = fixture::projected("h200", "opencl");
  LoweredPlan plan;
  bool jagged = false;
  const VarPtr i = newVariable("i"), item = newVariable("item"), group = newVariable("group");
};

TEST_F(ShareAtEdges, OthersHoldThem) {
  EXPECT_EQ(spread(atLeast(item)).most, 1);
  EXPECT_EQ(spread(atLeast(group)).most, 1);
  EXPECT_EQ(spread(binary("&&", atLeast(item), atLeast(group))).most, 1);
  EXPECT_EQ(spread(binary("&&", atLeast(item), binary("<", varRef(group), intLiteral(0)))).most, 0);
}

TEST_F(ShareAtEdges, NumbersThatGoByDivisionsDoNotHideLoops) {
  jagged = true;
  EXPECT_EQ(spread(binary("&&", atLeast(item), atLeast(group))).most, 1);
}

} // namespace
} // namespace tangram::codegen
