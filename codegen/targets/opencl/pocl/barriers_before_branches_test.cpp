#include "codegen/targets/opencl/pocl/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class MoveBarriersBeforeBranches : public ::testing::Test, protected Kernel4 {
protected:
  StmtPtr begins() const { return ir::block({ir::barrier(1), lanes({set(a[lane], lane)})}); }
};

TEST_F(MoveBarriersBeforeBranches, WhereTheGroupDecidesByASize) {
  const LoweredPlan made = moveBarriersBeforeBranches(plan({ir::ifThen((n < 2).e, begins())}));
  const std::string text = groupText(made);
  EXPECT_LT(text.find("barrier"), text.find("if ("));
  EXPECT_EQ(text.find("barrier"), text.rfind("barrier"));
}

TEST_F(MoveBarriersBeforeBranches, AtTheBeginningOfATurnWhereOnlyNumbersStandBefore) {
  const E size = variable("size", Scalar::Index, VarKind::Local);
  LoweredPlan turns = plan({});
  turns.body = ir::block(
      {ir::parallel(1, ir::Span::Turns, group.var(), p.e,
                    ir::block({let(size, n - group), ir::ifThen((size < 2).e, begins())}))});
  const std::string text = groupText(moveBarriersBeforeBranches(turns));
  EXPECT_LT(text.find("barrier"), text.find("size"));
  EXPECT_EQ(text.find("barrier"), text.rfind("barrier"));
}

TEST_F(MoveBarriersBeforeBranches, NotWhereItDecidesByWhatIsWrittenBehind) {
  const LoweredPlan made = moveBarriersBeforeBranches(plan({ir::ifThen((b[0] < 2).e, begins())}));
  const std::string text = groupText(made);
  EXPECT_GT(text.find("barrier"), text.find("if ("));
}

} // namespace
} // namespace tangram::codegen
