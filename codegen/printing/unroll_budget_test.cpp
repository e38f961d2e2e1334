#include "codegen/printing/unroll_budget.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using namespace ir;

class UnrollBudget : public ::testing::Test {
protected:
  UnrollBudget() {
    for (const E &each : {rows, columns}) {
      Tunable tunable;
      tunable.var = each.var();
      plan.tunables.push_back(tunable);
    }
  }

  static StmtPtr upTo(const E &bound, StmtPtr body, unsigned lanes = 0) {
    return unrolledLoop(countingLoop(newVariable("i"), bound, block({std::move(body)})), 64, lanes);
  }
  std::string of(const StmtPtr &nest) const {
    const ExprPtr condition = unrollCondition(plan, {}, *nest);
    return condition ? toString(condition) : "";
  }

  LoweredPlan plan;
  E rows = variable("T", Scalar::Index, VarKind::Param);
  E columns = variable("U", Scalar::Index, VarKind::Param);
  StmtPtr body = assign(ir::index(variable("a", Scalar::I32, VarKind::Buffer), {intLiteral(0)}),
                        "=", intLiteral(1, Scalar::I32));
};

TEST_F(UnrollBudget, OneLoopIsAskedForAsManyCopiesAsItSays) { EXPECT_EQ(of(upTo(rows, body)), ""); }

TEST_F(UnrollBudget, LoopsInEachOtherMultiply) {
  EXPECT_EQ(of(upTo(rows, upTo(columns, body))), "T * U <= 64");
  EXPECT_EQ(of(upTo(rows, upTo(columns, upTo(2, body)))), "T * (U * 2) <= 64");
  EXPECT_EQ(of(upTo(8, upTo(8, body))), "");
  EXPECT_EQ(of(upTo(16, upTo(16, body))), "false");
}

TEST_F(UnrollBudget, TheLoopsAroundCountForThoseInside) {
  const StmtPtr inner = upTo(columns, body);
  const StmtPtr outer = upTo(rows, inner);
  EXPECT_EQ(toString(unrollCondition(plan, {outer.get()}, *inner)), "T * U <= 64");
}

TEST_F(UnrollBudget, AVectorIsOneCopy) {
  plan.tunables[0].values = {2, 4, 8};
  plan.tunables[1].values = {16, 64};
  EXPECT_EQ(of(upTo(rows, upTo(columns, body, 8))), "");
  EXPECT_EQ(of(upTo(rows, upTo(columns, body, 4))), "T * (U / 4) <= 64");
}

} // namespace
} // namespace tangram::codegen
