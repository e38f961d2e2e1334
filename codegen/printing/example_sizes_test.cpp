#include "codegen/printing/example_sizes.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace ir;

class ExampleSizes : public ::testing::Test {
protected:
  static VarPtr size(const std::string &name) {
    return newVariable(name, Scalar::Index, VarKind::Param);
  }
  static ExprPtr number(std::int64_t n) { return intLiteral(n); }

  /// "in 40, weights 3"
  std::string sizes(VariableMap<std::uint64_t> given = {}) {
    plan.extents = {in, weights, out};
    const VariableMap<std::uint64_t> found = exampleSizes(plan, 40, std::move(given), 1);
    std::string text;
    for (const VarPtr &extent : plan.extents) {
      if (const auto at = found.find(extent); at != found.end())
        text += (text.empty() ? "" : ", ") + extent->name + " " + std::to_string(at->second);
    }
    return text;
  }

  void require(const ExprPtr &condition) { plan.constraints.push_back({condition, "it says so"}); }

  VarPtr in = size("in"), weights = size("weights"), out = size("out");
  LoweredPlan plan;
};

TEST_F(ExampleSizes, AreTheUsualOneWhereNothingIsSaid) {
  EXPECT_EQ(sizes(), "in 40, weights 40, out 40");
}

TEST_F(ExampleSizes, LeaveOutWhatIsDerived) {
  plan.shape = {{out, varRef(in)}};
  EXPECT_EQ(sizes(), "in 40, weights 40");
}

TEST_F(ExampleSizes, AreSmallWhereADerivedOneWouldBeBelowOne) {
  // A kernel whose elements lie 4 apart: out = in - 4 * (weights - 1).
  const ExprPtr reach = binary("*", number(4), binary("-", varRef(weights), number(1)));
  plan.shape = {{out, binary("-", varRef(in), reach)}};
  EXPECT_EQ(sizes(), "in 40, weights 3");
}

TEST_F(ExampleSizes, SatisfyConditionsOneAfterTheOther) {
  const auto divides = [&](const VarPtr &extent, std::int64_t n) {
    require(binary("==", binary("%", varRef(extent), number(n)), number(0)));
  };
  divides(in, 3);
  divides(weights, 7);
  divides(out, 8);
  EXPECT_EQ(sizes(), "in 3, weights 7, out 40");
}

TEST_F(ExampleSizes, KeepWhatIsGiven) {
  require(binary("<", varRef(weights), varRef(in)));
  EXPECT_EQ(sizes({{in, 40}}), "in 40, weights 3, out 40");
  EXPECT_EQ(sizes({{in, 40}, {weights, 40}}), "in 40, weights 40, out 40");
}

TEST_F(ExampleSizes, FollowFromContractsInAnyOrder) {
  plan.shape = {{out, varRef(weights)}, {weights, varRef(in)}};
  const std::vector<ShapeContract> ordered = contractsInOrder(plan);
  ASSERT_EQ(ordered.size(), 2U);
  EXPECT_EQ(ordered[0].extent, weights);
  EXPECT_EQ(ordered[1].extent, out);
  require(binary("<=", varRef(out), number(8)));
  EXPECT_EQ(sizes(), "in 3");
  plan.shape = {{out, varRef(in)}, {in, varRef(out)}};
  EXPECT_EQ(contractsInOrder(plan).size(), 2U);
}

TEST_F(ExampleSizes, AreNoneOfTunablesBusiness) {
  require(binary("<=", varRef(in), varRef(size("p"))));
  EXPECT_EQ(sizes(), "in 40, weights 40, out 40");
}

} // namespace
} // namespace tangram::codegen
