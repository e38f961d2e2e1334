#include "codegen/analysis/accesses_on_all_paths.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class AccessesOnAllPathsTest : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");

  static std::string text(const std::vector<ExprPtr> &elements) {
    std::string result;
    for (const ExprPtr &each : elements)
      result += (result.empty() ? "" : ", ") + each->args[0]->var->name;
    return result;
  }
  static std::string read(const StmtPtr &s) { return text(accessedOnAllPaths(s).read); }
  static std::string written(const StmtPtr &s) { return text(accessedOnAllPaths(s).written); }
  static E chosen(const E &condition, const E &yes, const E &no) {
    return E(ir::select(condition.e, yes.e, no.e));
  }
};

TEST_F(AccessesOnAllPathsTest, AChoiceReadsItsConditionAndWhatBothSidesRead) {
  EXPECT_EQ(read(set(b[i], chosen(0 < a[i], in[i], 1))), "a");
  EXPECT_EQ(read(set(b[i], chosen(0 < i, in[i], in[i] * 2))), "in");
  EXPECT_EQ(read(set(b[i], chosen(0 < i, in[i], in[i + 1]))), "");
}

TEST_F(AccessesOnAllPathsTest, ABranchWritesWhatBothSidesWrite) {
  EXPECT_EQ(written(when(0 < i, {set(b[i], 1)})), "");
  EXPECT_EQ(written(ir::ifThen((0 < i).e, set(b[i], E(1)), set(b[i], E(2)))), "b");
  EXPECT_EQ(written(ir::block({when(0 < i, {set(a[i], 1)}), set(b[i], 1)})), "b");
}

TEST_F(AccessesOnAllPathsTest, ALoopMayHaveNoRounds) {
  const StmtPtr loop = countingLoop(i.var(), n.e, set(b[i], a[i]));
  EXPECT_EQ(read(loop) + written(loop), "");
}

} // namespace
} // namespace tangram::codegen
