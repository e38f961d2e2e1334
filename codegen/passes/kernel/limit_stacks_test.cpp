#include "codegen/form/target_traits.h"
#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class LimitStacks : public ::testing::Test, protected Kernel4 {
protected:
  /// What is required where each of N lanes keeps an array of `extent` floats.
  std::string required(const ir::ExprPtr &extent, const std::string &target) {
    auto own = std::make_shared<ir::Var>();
    own->name = "own";
    own->type = scalarType(Scalar::F32);
    own->extent = extent;
    LoweredPlan whole = plan({ir::declare(own, nullptr)});
    whole.target = traitsOf(target);
    for (Tunable &tunable : whole.tunables)
      tunable.max = 1 << 11;
    std::string text;
    for (const Constraint &each : limitStacks(whole).constraints)
      text += ir::toString(each.require);
    return text;
  }
};

TEST_F(LimitStacks, ArraysThatTunablesMayMakeTooLarge) {
  EXPECT_EQ(required((N * K).e, "openmp"), "N * K * 4 <= 4194304");
}

TEST_F(LimitStacks, OthersAreNotAskedFor) {
  EXPECT_EQ(required(N.e, "openmp"), "");
  EXPECT_EQ(required((N * K).e, "opencl"), "");
}

} // namespace
} // namespace tangram::codegen
