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

} // namespace
} // namespace tangram::codegen
