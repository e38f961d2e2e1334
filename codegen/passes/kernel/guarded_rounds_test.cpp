#include "codegen/passes/kernel/guarded_rounds.h"
#include "codegen/test_fixture.h"

#include <string>

namespace tangram::codegen {
namespace {

using namespace fixture;

class GuardedRoundsOfLoops : public ::testing::Test, protected Kernel4 {
protected:
  /// The conditions under which `condition` holds for each k < m, over the rounds of i < n.
  std::string conditions(const ExprPtr &condition) const {
    const StmtPtr loop =
        upTo(i, n, {upTo(k, m, {ir::ifThen(condition, ir::block({addTo(s, x[k])}), nullptr)})});
    const auto found = guardedRounds(*countedLoop(*loop));
    if (!found)
      return "none";
    std::string text;
    for (const ExprPtr &each : found->from)
      text += "from " + ir::toString(each) + "\n";
    for (const ExprPtr &each : found->upTo)
      text += "up to " + ir::toString(each) + "\n";
    return text;
  }

  E i = variable("i");
  E k = variable("k");
  E m = variable("m", Scalar::Index, VarKind::Param);
  E width = variable("width", Scalar::Index, VarKind::Param);
  E x = variable("x", Scalar::F32, VarKind::Buffer);
  E s = variable("s", Scalar::F32);
};

TEST_F(GuardedRoundsOfLoops, DifferencesThatWouldFallBelowZeroBeginLater) {
  EXPECT_EQ(conditions(ir::binary("<", ir::binary("-", i, k), width)),
            "from (long)i - (long)(m - 1) >= 0\nup to (long)i < (long)width\n");
}

TEST_F(GuardedRoundsOfLoops, NumbersThatGoBothWaysAreNone) {
  const E both = ir::binary("+", ir::binary("-", i, k), k);
  EXPECT_EQ(conditions(ir::binary("<", both, width)), "none");
  EXPECT_EQ(conditions(ir::binary("<", ir::binary("*", i, k), width)), "none");
  EXPECT_EQ(conditions(ir::binary("<", k, width)), "none");
}

TEST_F(GuardedRoundsOfLoops, NarrowNumbersHaveToFit) {
  const E narrow = ir::binary("-", ir::cast(Scalar::I32, i), ir::cast(Scalar::I32, k));
  EXPECT_EQ(conditions(ir::binary(">=", narrow, ir::intLiteral(0, Scalar::I32))),
            "from (long)i - (long)(m - 1) >= -2147483648\n"
            "from (long)i - (long)(m - 1) >= 0\n"
            "up to (long)i <= 2147483647\n");
}

} // namespace
} // namespace tangram::codegen
