#include "codegen/form/building.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class Building : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E j = variable("j");
  E acc = variable("acc", Scalar::I32);
};

TEST_F(Building, ALoopThatCountsIsTakenApart) {
  const auto plain = countedLoop(*countingLoop(i.var(), n.e, ir::block({addTo(acc, in[i])})));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->i, i.var());
  EXPECT_TRUE(plain->isPlain());
  EXPECT_EQ(ir::toString(plain->bound), "n");
  const auto dealt = countedLoop(
      *ir::forLoop(let(i, lane), (i < n).e, addTo(i, N), ir::block({addTo(acc, in[i])})));
  ASSERT_TRUE(dealt);
  EXPECT_FALSE(dealt->isPlain());
  EXPECT_EQ(ir::toString(dealt->start), "lane");
  EXPECT_EQ(ir::toString(dealt->step), "N");
}

TEST_F(Building, WhatAsksOrAdvancesAnotherVariableCountsNothing) {
  const StmtPtr body = ir::block({addTo(acc, in[i])});
  EXPECT_FALSE(countedLoop(*ir::forLoop(let(i, 0), (j < n).e, addTo(i, 1), body)));
  EXPECT_FALSE(countedLoop(*ir::forLoop(let(i, 0), (i < n).e, addTo(j, 1), body)));
  EXPECT_FALSE(countedLoop(*ir::forLoop(nullptr, (i < n).e, addTo(i, 1), body)));
  EXPECT_FALSE(countedLoop(*ir::whileLoop((i < n).e, body)));
  EXPECT_TRUE(steppedLoop(*ir::forLoop(let(i, 0), (j < n).e, addTo(i, 1), body)));
}

TEST_F(Building, ALoopThatMultiplies) {
  const StmtPtr body = ir::block({addTo(acc, in[i])});
  auto factorOf = [&](const StmtPtr &next) {
    const auto loop = scaledLoop(*ir::forLoop(let(i, 1), (i < n).e, next, body));
    return loop ? ir::toString(loop->step) : "none";
  };
  EXPECT_EQ(factorOf(ir::assign(i.e, "*=", ir::intLiteral(3))), "3");
  EXPECT_EQ(factorOf(ir::assign(i.e, "<<=", ir::intLiteral(2))), "4");
  EXPECT_EQ(factorOf(ir::assign(i.e, "=", ir::binary("*", i.e, ir::intLiteral(2)))), "2");
  EXPECT_EQ(factorOf(ir::assign(i.e, "*=", ir::intLiteral(1))), "none");
  EXPECT_EQ(factorOf(ir::assign(i.e, "*=", n.e)), "none");
  EXPECT_EQ(factorOf(ir::assign(j.e, "*=", ir::intLiteral(2))), "none");
  EXPECT_EQ(factorOf(addTo(i, 2)), "none");
}

TEST_F(Building, AssignmentsAreOfVariablesAndNotOfElements) {
  const StmtPtr body = ir::block({addTo(i, 1), addTo(out[j], 1)});
  EXPECT_TRUE(assigns(body, i.var().get()));
  EXPECT_FALSE(assigns(body, j.var().get()));
  EXPECT_FALSE(assigns(body, out.var().get()));
}

TEST_F(Building, UnrolledLoopsAreNoNest) {
  const StmtPtr inner = countingLoop(j.var(), n.e, ir::block({addTo(acc, in[j])}));
  const auto around = [&](const StmtPtr &loop) {
    return countingLoop(i.var(), n.e, ir::block({loop}));
  };
  EXPECT_FALSE(hasNestOfLoops(inner));
  EXPECT_TRUE(hasNestOfLoops(around(inner)));
  EXPECT_FALSE(hasNestOfLoops(around(unrolledLoop(inner, 4))));
  EXPECT_FALSE(hasNestOfLoops(ir::block({inner, inner})));
}

TEST_F(Building, ACopyHasVariablesOfItsOwn) {
  const StmtPtr loop = countingLoop(i.var(), n.e, ir::block({let(j, i + 1), addTo(acc, in[j])}));
  const StmtPtr copy = withOwnVariables(loop);
  EXPECT_EQ(ir::toString(copy), ir::toString(loop));
  EXPECT_NE(countedLoop(*copy)->i, i.var());
  EXPECT_EQ(
      ir::toString(substitute(loop, {{n.var().get(), N.e}})),
      ir::toString(countingLoop(i.var(), N.e, ir::block({let(j, i + 1), addTo(acc, in[j])}))));
}

} // namespace
} // namespace tangram::codegen
