#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class SideBySide : public ::testing::Test, protected Kernel4 {
protected:
  bool isMarked(std::vector<StmtPtr> round) const {
    const LoweredPlan after = markIndependentRounds(plan({upTo(j, n, std::move(round))}));
    return groupText(after).starts_with("\nside by side for (index j");
  }

  E j = variable("j");
  /// Six rows of one array, of which each is read.
  E read = in[j] + in[n + j] + in[2 * n + j] + in[3 * n + j] + in[4 * n + j] + in[5 * n + j];
};

TEST_F(SideBySide, OfMoreArraysThanCompilersAskAbout) {
  EXPECT_TRUE(isMarked({set(out[j], read), set(b[j], read)}));
  EXPECT_FALSE(isMarked({set(out[j], read)})); // compilers ask about six pairs
}

TEST_F(SideBySide, NotWhereARoundSeesAnother) {
  EXPECT_FALSE(isMarked({set(out[j], read), set(b[j], read + b[j + 1])}));
}

TEST_F(SideBySide, OfNeighboursWithoutBranches) {
  EXPECT_FALSE(isMarked({set(out[j * 2], read), set(b[j], read)}));
  EXPECT_FALSE(isMarked({when(in[j] < 1, {set(out[j], read), set(b[j], read)})}));
  EXPECT_FALSE(isMarked({set(out[j], read / in[j]), set(b[j], read)})); // of integers
}

} // namespace
} // namespace tangram::codegen
