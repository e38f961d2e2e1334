#include "codegen/form/verifier.h"

#include "codegen/form/building.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/test_fixture.h"
#include "composer/plans/planner.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using Texts = std::vector<std::string>;

class VerifierTest : public ::testing::Test, protected Kernel4 {
protected:
  Form form = Form::Flat;

  Texts of(const LoweredPlan &kernel) const {
    Texts texts;
    for (const Violation &each : verify(kernel, form))
      texts.push_back(each.text());
    return texts;
  }
  Texts of(std::vector<StmtPtr> body) const { return of(plan(std::move(body))); }

  E x = variable("x", Scalar::I32);
  E i = variable("i");
  static E one() { return E(ir::intLiteral(1, Scalar::I32)); }
};

TEST_F(VerifierTest, AKernelThatHoldsHasNothingToSay) {
  EXPECT_EQ(of({lanes({let(x, in[lane]), upTo(i, n, {addTo(x, in[i])}), set(a[lane], x)})}),
            Texts());
}

TEST_F(VerifierTest, WhatIsUsedIsDeclared) {
  EXPECT_EQ(of({lanes({set(a[lane], x)})}),
            Texts({"x is used and not declared, in 'a[lane] = x;'"}));
  EXPECT_EQ(of({lanes({set(x, one())})}), Texts({"x is assigned and not declared, in 'x = 1;'"}));
  E other = variable("other", Scalar::I32, VarKind::Buffer);
  EXPECT_EQ(of({lanes({set(other[lane], one())})}),
            Texts({"other is no memory of the plan, in 'other[lane] = 1;'"}));
}

TEST_F(VerifierTest, ItemsThatCopySetElementsAndNothingElse) {
  const auto copied = [&](std::vector<StmtPtr> body) {
    return copying(ir::parallel(2, ir::Span::Turns, lane.var(), n.e, ir::block(std::move(body))));
  };
  const std::string more = "items that copy do more than that, in 'parallel lane < n'";
  EXPECT_EQ(of({copied({let(x, in[lane]), set(a[lane], x)})}), Texts());
  EXPECT_EQ(of({let(x, one()), copied({set(x, in[lane])})}).front(), more);
  EXPECT_EQ(of({copied({chains({set(a[lane], in[lane])})})}).front(), more);
  EXPECT_EQ(of({copying(lanes({set(a[lane], in[lane])}))}),
            Texts({"workers of level 2 copy, and are no items in turns, in 'parallel lane < N'"}));
}

TEST_F(VerifierTest, ADeclarationEndsWithItsBlock) {
  EXPECT_EQ(of({lanes({when(lane < n, {let(x, one())}), set(a[lane], x)})}),
            Texts({"x is used where what declares it cannot be seen, in 'a[lane] = x;'"}));
  EXPECT_EQ(of({lanes({let(x, one()), let(x, one())})}),
            Texts({"x is declared where it is declared already, in 'int x = 1;'"}));
}

TEST_F(VerifierTest, WhatIsDeclaredInsideCapturesWhatIsMeantOutside) {
  EXPECT_EQ(of({lanes({upTo(i, n, {upTo(i, N, {set(a[lane], in[i])})})})}),
            Texts({"i is used where what declares it cannot be seen, in 'i += 1;'",
                   "i is assigned where what declares it cannot be seen, in 'i += 1;'",
                   "i is used where what declares it cannot be seen, in 'while (i < n)'"}));
  const StmtPtr again =
      ir::parallel(3, ir::Span::All, lane.var(), K.e, ir::block({set(a[lane], one())}));
  EXPECT_EQ(of({lanes({again})}).at(0).substr(0, 50),
            "lane numbers workers where it is declared already,");
  EXPECT_EQ(of({lanes({set(a[lane], one())}), lanes({set(a[lane], one())})}), Texts());
}

TEST_F(VerifierTest, ADefinitionReachesEveryUse) {
  EXPECT_EQ(of({lanes({let(x), set(a[lane], x)})}),
            Texts({"x is read, and no definition reaches it, in 'a[lane] = x;'"}));
  EXPECT_EQ(of({lanes({let(x), when(lane < n, {set(x, one())}), set(a[lane], x)})}), Texts());
  EXPECT_EQ(of({lanes({let(x), upTo(i, n, {when(i > 0, {set(a[lane], x)}), set(x, one())})})}),
            Texts());
}

TEST_F(VerifierTest, WhatAWorkerDeclaresIsItsOwn) {
  const std::vector<StmtPtr> body{lanes({let(x, one())}), lanes({set(a[lane], x)})};
  EXPECT_EQ(of(body), Texts());
  form = Form::Expanded;
  EXPECT_EQ(of(body),
            Texts({"x is used where what declares it cannot be seen, in 'a[lane] = x;'"}));
  form = Form::Flat;
  EXPECT_EQ(of({lanes({let(x, one())}), set(a[0], x)}),
            Texts({"x is used where what declares it cannot be seen, in 'a[0] = x;'"}));
  EXPECT_EQ(of({firstLane({let(x, one())}), lanes({set(a[lane], x)})}),
            Texts({"x is used where what declares it cannot be seen, in 'a[lane] = x;'"}));
  EXPECT_EQ(of({lanes({set(a[lane], one())}), set(a[lane], one())}),
            Texts({"lane is used where what declares it cannot be seen, in 'a[lane] = 1;'"}));
}

TEST_F(VerifierTest, WorkersDoNotAssignWhatTheyShare) {
  LoweredPlan kernel = plan({lanes({set(x, one())})});
  kernel.body = ir::block({let(x, one()), kernel.body->children[0]});
  EXPECT_EQ(of(kernel),
            Texts({"x is assigned by workers of level 1, which share it, in 'x = 1;'"}));
  const std::vector<StmtPtr> body{let(x, one()), lanes({set(x, one())})};
  form = Form::Expanded;
  EXPECT_EQ(of(body), Texts());
  LoweredPlan loops = plan(body);
  loops.target = traitsOf("openmp");
  EXPECT_EQ(of(loops), Texts({"x is assigned by workers of level 2, which share it, in 'x = 1;'"}));
  EXPECT_EQ(of({let(x, one()), firstLane({set(x, one())})}), Texts());
}

TEST_F(VerifierTest, LevelsDescend) {
  EXPECT_EQ(of({chains({lanes({set(a[lane], one())})})}),
            Texts({"level 2 does not stand below level 3, whose workers run it, in "
                   "'parallel lane < N'"}));
}

TEST_F(VerifierTest, SpanAndCountAgree) {
  auto some = [&](ir::Span span, const E &count) {
    return of({ir::parallel(2, span, lane.var(), count.e, ir::block({set(a[lane], one())}))});
  };
  EXPECT_EQ(some(ir::Span::All, N), Texts());
  EXPECT_EQ(some(ir::Span::Turns, n), Texts());
  EXPECT_EQ(some(ir::Span::One, E(ir::intLiteral(1))), Texts());
  const std::string at = ", in 'parallel lane < ";
  EXPECT_EQ(some(ir::Span::All, n),
            Texts({"n workers of level 2 are to be all of them" + at + "n'"}));
  EXPECT_EQ(some(ir::Span::One, N),
            Texts({"N workers of level 2 are to be one of them" + at + "N'"}));
  EXPECT_EQ(some(ir::Span::Turns, E(ir::intLiteral(1))),
            Texts({"1 workers of level 2 are not said to be one" + at + "1'"}));
  EXPECT_EQ(of({ir::parallel(2, ir::Span::All, nullptr, N.e, ir::block({}))}),
            Texts({"workers of level 2 have no number, in 'parallel N'"}));
}

TEST_F(VerifierTest, ItemsMeetTogether) {
  form = Form::Expanded;
  EXPECT_EQ(of({lanes({ir::barrier(1)})}),
            Texts({"a barrier of level 1 in code of some of its items, in 'barrier'"}));
  EXPECT_EQ(of({let(x), lanes({set(x, in[lane])}), when(x > one(), {ir::barrier(1)})}),
            Texts({"items may decide x > 1 differently, and there is a barrier below, in "
                   "'if (x > 1)'"}));
  EXPECT_EQ(of({when(n > 3, {ir::barrier(1)})}), Texts());
}

TEST_F(VerifierTest, TypesAreThoseOfC) {
  ir::Expr wrong = *ir::binary("+", in[lane].e, in[lane].e);
  wrong.type = ir::scalarType(Scalar::F64);
  EXPECT_EQ(of({lanes({set(a[lane], E(std::make_shared<ir::Expr>(wrong)))})}),
            Texts({"in[lane] + in[lane] has type f64, its operands make it i32, in "
                   "'a[lane] = in[lane] + in[lane];'"}));
  E f = variable("f", Scalar::F32);
  EXPECT_EQ(of({lanes({let(f, E(ir::realLiteral(1, Scalar::F32))), set(a[f], one())})}),
            Texts({"the subscript of a[f] is no integer, in 'a[f] = 1;'"}));
  EXPECT_EQ(
      of({lanes({set(a[lane], E(ir::node(ExprKind::CoopIdx, ir::scalarType(Scalar::I32), {})))})}),
      Texts({"coopIdx() is for codelets only, in 'a[lane] = coopIdx();'"}));
}

TEST_F(VerifierTest, TheHostKnowsWhatItEvaluates) {
  LoweredPlan kernel = plan({});
  kernel.constraints = {{(x < one()).e, "x is small"}};
  kernel.buffers[2].count = in[0].e;
  EXPECT_EQ(of(kernel),
            Texts({"the number of elements of a reads memory",
                   "the number of elements of a uses in, which the host does not know",
                   "the constraint 'x is small' uses x, which the host does not know"}));
}

/// Every pass leaves what it must, on the plans of figures 5.6 and 5.7.
TEST(Passes, LeaveAKernelThatHolds) {
  const ir::Program program = sumProgram();
  for (const auto &[model, target] : std::vector<std::pair<std::string, std::string>>{
           {"cpu", "openmp"}, {"simple-gpu", "opencl"}, {"gpu", "opencl"}, {"cpu", "opencl"}}) {
    const composer::Machine machine = projected(model, target);
    composer::PlanOptions options;
    options.target = target;
    for (const composer::RankedPlan &plan :
         composer::plans(program, machine, "sum", options, 4).plans) {
      auto lowered = lower(program, "sum", plan.plan, machine, target);
      if (!std::holds_alternative<LoweredPlan>(lowered))
        continue;
      optimize(std::get<LoweredPlan>(lowered), {},
               [&](const std::string &pass, const LoweredPlan &kernel, Form form) {
                 for (const Violation &each : verify(kernel, form))
                   ADD_FAILURE() << model << " " << plan.id << " after " << pass << ": "
                                 << each.text();
               });
    }
  }
}

} // namespace
} // namespace tangram::codegen
