#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class ReplaceByScalars : public ::testing::Test, protected Kernel4 {
protected:
  static std::string names(const LoweredPlan &plan) {
    std::string result;
    for (const Buffer &each : plan.buffers)
      result += (result.empty() ? "" : " ") + each.var->name;
    return result;
  }
};

TEST_F(ReplaceByScalars, WhatEachItemTouchesAloneBecomesAVariable) {
  LoweredPlan kept = replaceByScalars(
      plan({lanes({set(a[lane], in[lane])}), lanes({set(out[lane], a[lane] + b[lane + 1])})}));
  EXPECT_EQ(groupText(kept), R"(
int a;
parallel level 2 lane < N {
  a = in[lane];
}
parallel level 2 lane < N {
  out[lane] = a + b[lane + 1];
}
)");
  EXPECT_EQ(names(kept), "in out b");
}

TEST_F(ReplaceByScalars, OneAccessToAnotherItemsElementKeepsTheBuffer) {
  LoweredPlan before =
      plan({lanes({set(a[lane], 1)}), lanes({set(b[0], a[lane])}), firstLane({set(out[0], a[0])})});
  LoweredPlan kept = replaceByScalars(before);
  EXPECT_EQ(groupText(kept), groupText(before));
  EXPECT_EQ(names(kept), "in out a b");
}

TEST_F(ReplaceByScalars, AnAtomicOperationOnAnItemsOwnElementIsNoneOnItsRegister) {
  auto add = std::make_shared<ir::Expr>(
      *ir::node(ExprKind::Atomic, ir::scalarType(Scalar::I32), {a[lane], in[lane]}));
  add->op = "add";
  E before = variable("before", Scalar::I32);
  LoweredPlan kept = replaceByScalars(
      plan({lanes({set(a[lane], 1), ir::eval(add), let(before), set(before, ExprPtr(add)),
                   set(out[lane], a[lane] + before)})}));
  EXPECT_EQ(groupText(kept), R"(
int a;
parallel level 2 lane < N {
  a = 1;
  a += in[lane];
  int before;
  before = a;
  a += in[lane];
  out[lane] = a + before;
}
)");
}

TEST_F(ReplaceByScalars, GlobalMemoryStaysMemory) {
  LoweredPlan before = plan({lanes({set(out[lane], in[lane])})});
  LoweredPlan kept = replaceByScalars(before);
  EXPECT_EQ(groupText(kept), groupText(before));
  EXPECT_EQ(names(kept), "in out a b");
}

TEST_F(ReplaceByScalars, TheVariableIsDeclaredInEveryGroupThatUsesIt) {
  LoweredPlan kernel = plan({lanes({set(a[lane], 1), set(out[lane], a[lane])})});
  kernel.body =
      ir::block({kernel.body->children[0],
                 ir::parallel(1, ir::Span::All, group.var(), p.e, ir::block({set(out[group], 1)})),
                 kernel.body->children[0]});
  EXPECT_EQ("\n" + ir::toString(replaceByScalars(kernel).body), R"(
parallel level 1 group < p {
  int a;
  parallel level 2 lane < N {
    a = 1;
    out[lane] = a;
  }
}
parallel level 1 group < p {
  out[group] = 1;
}
parallel level 1 group < p {
  int a;
  parallel level 2 lane < N {
    a = 1;
    out[lane] = a;
  }
}
)");
}

} // namespace
} // namespace tangram::codegen
