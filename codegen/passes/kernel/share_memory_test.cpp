#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class ShareMemory : public ::testing::Test, protected Kernel4 {
protected:
  static std::string names(const LoweredPlan &plan) {
    std::string text;
    for (const Buffer &b : plan.buffers)
      text += b.var->name + "[" + ir::toString(b.count) + "] ";
    return text;
  }
};

TEST_F(ShareMemory, ABufferThatIsDoneGivesItsMemoryToTheNext) {
  LoweredPlan before =
      plan({lanes({set(a[lane], in[lane])}), lanes({set(out[lane], a[N - lane - 1])}),
            lanes({set(b[lane], in[lane + N])}), lanes({set(out[lane + N], b[0])})});
  LoweredPlan after = shareMemory(before);
  EXPECT_EQ(names(before), "in[n] out[n] a[N] b[N] ");
  EXPECT_EQ(names(after), "in[n] out[n] a[N] ");
  EXPECT_EQ(groupText(after).find("b["), std::string::npos);
}

TEST_F(ShareMemory, BuffersAliveTogetherStayApart) {
  LoweredPlan before = plan({lanes({set(a[lane], in[lane])}), lanes({set(b[lane], a[0])}),
                             lanes({set(out[lane], a[lane] + b[0])})});
  EXPECT_EQ(names(shareMemory(before)), names(before));
}

TEST_F(ShareMemory, WhatItemsTouchSideBySideIsAliveAtOnce) {
  LoweredPlan before = plan({lanes({set(a[lane], in[lane])}),
                             lanes({set(out[lane], a[lane + 1]), set(b[lane], in[lane])}),
                             lanes({set(out[lane], b[N - lane - 1])})});
  EXPECT_EQ(names(shareMemory(before)), names(before));
}

TEST_F(ShareMemory, WhatALoopTouchesIsAliveInAllOfIt) {
  E i = variable("i");
  LoweredPlan before = plan({upTo(
      i, n,
      {lanes({set(out[lane], a[0])}), lanes({set(b[lane], in[i])}), lanes({set(a[lane], b[0])})})});
  EXPECT_EQ(names(shareMemory(before)), names(before));
}

TEST_F(ShareMemory, ElementsOfOtherTypesStayApart) {
  LoweredPlan before = plan({lanes({set(a[lane], in[lane])}), lanes({set(out[lane], a[0])}),
                             lanes({set(b[lane], in[lane])}), lanes({set(out[lane], b[0])})});
  auto other = std::make_shared<ir::Var>(*b.var());
  other->type = ir::scalarType(Scalar::F32);
  for (Buffer &each : before.buffers) {
    if (each.var == b.var())
      each.var = other;
  }
  before.body = ir::mapExprs(before.body, [&](const ir::ExprPtr &e) {
    return ir::rewrite(e, [&](const ir::ExprPtr &each) {
      return each->var == b.var() ? ir::varRef(other) : each;
    });
  });
  EXPECT_EQ(names(shareMemory(before)), names(before));
}

TEST_F(ShareMemory, DeviceMemoryOfAnEarlierKernelIsTakenOverAndGrows) {
  E c = variable("c", Scalar::I32, VarKind::Buffer);
  E d = variable("d", Scalar::I32, VarKind::Buffer);
  LoweredPlan before = plan({lanes({set(c[lane], in[lane])})});
  before.buffers.push_back({c.var(), Space::Global, N.e, ""});
  before.buffers.push_back({d.var(), Space::Global, n.e, ""});
  auto kernel = [&](std::vector<StmtPtr> body) {
    return ir::parallel(1, ir::Span::All, group.var(), p.e, ir::block(std::move(body)));
  };
  before.body = ir::block(
      {kernel({lanes({set(c[lane], in[lane])})}), kernel({lanes({set(out[lane], c[0])})}),
       kernel({lanes({set(d[lane], in[lane])})}), kernel({lanes({set(out[lane], d[0])})})});
  EXPECT_EQ(names(shareMemory(before)), "in[n] out[n] a[N] b[N] c[max(N, n)] ");
}

} // namespace
} // namespace tangram::codegen
