#include "composer/analysis/coverage.h"

#include "composer/analysis/analysis_fixture.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using namespace fixture;

std::vector<std::string> inferred(const ir::Codelet &codelet) {
  std::vector<std::string> conditions;
  for (const Requirement &each : inferRequires(codelet))
    conditions.push_back(ir::toString(each.condition));
  return conditions;
}

using Conditions = std::vector<std::string>;

/// A cooperative codelet that adds up in[index] for each index, after `before`.
struct Cooperative {
  VarPtr in = input("in"), sum = local("sum", Scalar::I32);

  ir::Codelet reading(const std::vector<ExprPtr> &indexes, std::vector<StmtPtr> before = {}) const {
    std::vector<StmtPtr> body = std::move(before);
    body.push_back(let(sum, 0));
    for (const ExprPtr &index : indexes)
      body.push_back(set(sum, "+=", at(in, index, place(9))));
    return codelet("c", {in}, std::move(body), true);
  }
};

TEST(Coverage, KoggeStoneStatesWhatItNeeds) {
  auto all = requirements(koggeStoneSum());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(ir::toString(all[0].condition), "in.size() <= coopDim()");
  EXPECT_FALSE(all[0].inferred);
  EXPECT_EQ(all[0].reason, "stated");
  EXPECT_EQ(all[0].location, place(19));
  EXPECT_TRUE(coverageWarnings(koggeStoneSum()).empty());
}

TEST(Coverage, WhatKoggeStoneDoesNotStateIsInferred) {
  auto all = requirements(koggeStoneSum(false));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(ir::toString(all[0].condition), "in.size() <= coopDim()");
  EXPECT_TRUE(all[0].inferred);
  EXPECT_EQ(all[0].reason, "kog reads at most one element of 'in' a lane");
  EXPECT_EQ(all[0].location, place(23, 26));
  auto warnings = coverageWarnings(koggeStoneSum(false));
  EXPECT_EQ(ir::render(warnings),
            "test.cpp:23:26: warning: cooperative codelet 'kog' reads at most one element of 'in' "
            "a lane but does not require in.size() <= coopDim(), elements beyond coopDim() would "
            "be lost\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].suggestion, "require(in.size() <= coopDim());");
}

TEST(Coverage, TwoElementsALane) {
  Cooperative f;
  auto pairs = f.reading({op(2, "*", lane()), op(op(2, "*", lane()), "+", 1)});
  EXPECT_EQ(inferred(pairs), Conditions{"in.size() <= 2 * coopDim()"});
  auto halves = f.reading({lane(), op(lane(), "+", lanes())});
  EXPECT_EQ(inferred(halves), Conditions{"in.size() <= 2 * coopDim()"});
  EXPECT_EQ(ir::render(coverageWarnings(halves)),
            "test.cpp:9:3: warning: cooperative codelet 'c' reads at most 2 elements of 'in' a "
            "lane but does not require in.size() <= 2 * coopDim(), elements beyond 2 * coopDim() "
            "would be lost\n");
}

TEST(Coverage, ElementsReadTwiceCountOnce) {
  Cooperative f;
  VarPtr id = local("id");
  EXPECT_EQ(inferred(f.reading({lane(), op(id, "+", 1), ir::varRef(id)}, {let(id, lane())})),
            Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(inferred(f.reading({op(op(lanes(), "-", 1), "-", lane())})),
            Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(inferred(f.reading({op(op(sizeOf(f.in), "-", 1), "-", lane())})),
            Conditions{"in.size() <= coopDim()"});
}

std::string unproved(const ir::Codelet &codelet) {
  const std::optional<LaneBound> bound = unprovedCoverage(codelet);
  return bound ? whyUnproved(codelet, *bound) : "";
}

TEST(Coverage, WhatHoldsForFewLanesIsNotProved) {
  Cooperative f;
  // Right for up to 8 lanes, for up to 32, for even numbers of lanes; from `offset` on.
  const ExprPtr offset = ir::varRef(scalarParam("offset", Scalar::U32));
  for (const ExprPtr &index : {op(lane(), "%", 8), op(lane(), "/", 32), op(lane(), "^", 1),
                               op(lane(), "&", 31), op(lane(), "+", offset), op(2, "*", lane())}) {
    const ir::Codelet c = f.reading({index});
    EXPECT_EQ(inferred(c), Conditions{}) << ir::toString(index);
    EXPECT_EQ(unproved(c),
              "that the lanes of cooperative codelet 'c' read every element of 'in' is not proved: "
              "it has to bound in.size() by a require")
        << ir::toString(index);
  }
  EXPECT_EQ(
      ir::render(coverageWarnings(f.reading({op(lane(), "%", 8)}))),
      "test.cpp:9:3: warning: that the lanes of cooperative codelet 'c' read every element of "
      "'in' is not proved: it has to bound in.size() by a require\n");
}

TEST(Coverage, TheAuthorsWordIsTaken) {
  Cooperative f;
  auto stating = [&](const ExprPtr &condition) {
    return unproved(f.reading({op(lane(), "%", 8)}, {ir::require(condition)}));
  };
  EXPECT_EQ(stating(op(sizeOf(f.in), "<=", 8)), "");
  EXPECT_EQ(stating(op(sizeOf(f.in), "==", 8)), "");
  EXPECT_EQ(stating(op(sizeOf(f.in), "<=", op(lanes(), "/", 32))), "");
  EXPECT_NE(stating(op(sizeOf(f.in), ">=", 8)), "");
  VarPtr other = input("other");
  auto c = codelet(
      "c", {f.in, other},
      {ir::require(op(sizeOf(f.in), "==", sizeOf(other))), ir::require(op(sizeOf(other), "<=", 8)),
       let(f.sum, op(at(f.in, op(lane(), "%", 8)), "+", at(other, op(lane(), "%", 8))))},
      true);
  EXPECT_EQ(unproved(c), "");
}

TEST(Coverage, BlocksOfLanesAndRunsOfElements) {
  Cooperative f;
  EXPECT_EQ(inferred(f.reading({lane(), op(op(2, "*", lanes()), "-", op(lane(), "+", 1))})),
            Conditions{"in.size() <= 2 * coopDim()"});
  std::vector<ExprPtr> two;
  for (int r = 0; r < 4; ++r) // 2 lane, 2 lane + 1, and the same behind them
    two.push_back(op(op(op(2, "*", lane()), "+", r % 2), "+", op(r / 2 * 2, "*", lanes())));
  EXPECT_EQ(inferred(f.reading(two)), Conditions{"in.size() <= 4 * coopDim()"});
  two.erase(two.begin() + 1);
  EXPECT_NE(unproved(f.reading(two)), "");
}

TEST(Coverage, LoopsOfAConstantNumberOfIterationsAreCounted) {
  Cooperative f;
  VarPtr k = local("k");
  auto times = [&](const ExprPtr &index) {
    return inferred(codelet(
        "c", {f.in}, {let(f.sum, 0), upTo(k, 4, {set(f.sum, "+=", at(f.in, index))})}, true));
  };
  EXPECT_EQ(times(op(lane(), "+", op(k, "*", lanes()))), Conditions{"in.size() <= 4 * coopDim()"});
  EXPECT_EQ(times(op(op(lane(), "*", 4), "+", k)), Conditions{"in.size() <= 4 * coopDim()"});
  EXPECT_EQ(times(op(lane(), "+", k)), Conditions{"in.size() <= coopDim()"});
}

TEST(Coverage, AConditionThatKeepsElementsOutIsNoCoverage) {
  Cooperative f;
  auto under = [&](const ExprPtr &condition) {
    return codelet("c", {f.in},
                   {let(f.sum, 0), ir::ifThen(condition, set(f.sum, "+=", at(f.in, lane())))},
                   true);
  };
  EXPECT_EQ(inferred(under(op(lane(), "<", sizeAs(f.in)))), Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(inferred(under(op(op(lane(), "+", 1), "<=", sizeAs(f.in)))),
            Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(inferred(under(ir::unary("!", op(lane(), ">=", sizeAs(f.in))))),
            Conditions{"in.size() <= coopDim()"});
  EXPECT_NE(unproved(under(op(lane(), "<", 4))), "");
  EXPECT_NE(unproved(under(op(lane(), ">", 0))), "");
  EXPECT_NE(unproved(under(op(op(lane(), "%", 2), "==", 0))), "");
}

TEST(Coverage, SizesThatAreEqualGuardEachOther) {
  VarPtr x = input("x"), y = output("y");
  auto c = codelet("c", {x, y},
                   {ir::ifThen(op(lane(), "<", sizeOf(x)), set(at(y, lane()), "=", at(x, lane())))},
                   true);
  EXPECT_NE(unproved(c), "");
  const std::vector<ExprPtr> contracts{op(sizeOf(y), "==", sizeOf(x))};
  EXPECT_FALSE(unprovedCoverage(c, contracts).has_value());
  EXPECT_EQ(inferRequires(c, contracts).size(), 2u);
}

TEST(Coverage, ABoundOfOneSizeSpeaksForThoseThatAreEqual) {
  VarPtr x = input("x"), y = output("y");
  auto c = codelet(
      "c", {x, y},
      {ir::require(op(sizeOf(x), "<=", lanes())), set(at(y, lane()), "=", at(x, at(y, lane())))},
      true);
  EXPECT_NE(ir::render(coverageWarnings(c)), "");
  const std::vector<ExprPtr> contracts{op(sizeOf(y), "==", sizeOf(x))};
  EXPECT_EQ(ir::render(coverageWarnings(c, contracts)), "");
}

TEST(Coverage, LoopsAndDataMayReachEverything) {
  Cooperative f;
  VarPtr i = local("i"), order = input("order", Scalar::U32);
  auto strided =
      codelet("c", {f.in},
              {let(f.sum, 0), loop(i, lane(), op(i, "<", sizeOf(f.in)), set(i, "+=", lanes()),
                                   {set(f.sum, "+=", at(f.in, i))})},
              true);
  EXPECT_EQ(inferred(strided), Conditions{});
  EXPECT_EQ(inferred(f.reading({at(order, lane())})), Conditions{});
  EXPECT_EQ(inferred(f.reading({Operand(0).expr, Operand(1).expr})), Conditions{});
  auto autonomous = f.reading({lane()});
  autonomous.cooperative = false;
  EXPECT_EQ(inferred(autonomous), Conditions{});
}

TEST(Coverage, AnotherNameIsTheSameContainer) {
  Cooperative f;
  VarPtr view = variable("view", f.in->type, ir::VarKind::Local);
  auto c = codelet("c", {f.in}, {let(view, f.in), let(f.sum, at(view, lane()))}, true);
  EXPECT_EQ(inferred(c), Conditions{"in.size() <= coopDim()"});
}

TEST(Coverage, StatedInOtherWords) {
  Cooperative f;
  VarPtr n = local("n");
  std::vector<StmtPtr> size{let(n, sizeAs(f.in))};
  auto stating = [&](const ExprPtr &condition) {
    return inferred(f.reading({lane()}, {size[0], ir::require(condition)}));
  };
  EXPECT_EQ(stating(op(lanes(), ">=", n)), Conditions{});
  EXPECT_EQ(stating(op(n, "==", lanes())), Conditions{});
  EXPECT_EQ(stating(op(op(n, "<", op(lanes(), "+", 1)), "&&", op(n, ">", 0))), Conditions{});
  EXPECT_EQ(stating(op(op(2, "*", n), "<=", lanes())), Conditions{});
  // These bound the size, but not by the lanes there are.
  EXPECT_EQ(stating(op(n, "<=", op(2, "*", lanes()))), Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(stating(op(n, "<=", 1024)), Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(stating(op(n, ">", 0)), Conditions{"in.size() <= coopDim()"});
}

TEST(Coverage, StatedConditionsAreClosed) {
  Cooperative f;
  VarPtr n = local("n", Scalar::Index);
  auto all =
      requirements(f.reading({lane()}, {let(n, sizeOf(f.in)), ir::require(op(n, "<=", lanes()))}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(ir::toString(all[0].condition), "in.size() <= coopDim()");
}

TEST(Coverage, OutputsAreLeftUnwritten) {
  VarPtr out = output("out");
  auto c = codelet("iota", {out}, {set(at(out, lane(), place(4)), "=", lane())}, true);
  EXPECT_EQ(ir::render(coverageWarnings(c)),
            "test.cpp:4:3: warning: cooperative codelet 'iota' writes at most one element of 'out' "
            "a lane but does not require out.size() <= coopDim(), elements beyond coopDim() would "
            "be left unwritten\n");
}

/// c[row][column] = 0, in lockstep.
ir::Codelet clears(const Operand &row, const Operand &column) {
  VarPtr c = variable("c", {Scalar::I32, 2, 0, false}, ir::VarKind::Param);
  // The operands may name `c`: its sizes are taken from the parameter they were made with.
  ExprPtr target = ir::index(ir::varRef(c), {row.expr, column.expr}, place(6));
  ExprPtr here = ir::rewrite(target, [&](const ExprPtr &e) {
    return e->kind == ir::ExprKind::Var && e->var->name == "c" ? ir::varRef(c) : e;
  });
  return codelet("clear", {c}, {ir::assign(here, "=", ir::intLiteral(0, Scalar::I32))}, true);
}

TEST(Coverage, DimensionsAreBoundedOneByOne) {
  EXPECT_EQ(inferred(clears(lane(), 0)), Conditions{"c.size(0) <= coopDim()"});
  EXPECT_EQ(inferred(clears(0, lane())), Conditions{"c.size(1) <= coopDim()"});
  EXPECT_EQ(ir::render(coverageWarnings(clears(0, lane()))),
            "test.cpp:6:3: warning: cooperative codelet 'clear' writes at most one index of 'c' in "
            "dimension 1 a lane but does not require c.size(1) <= coopDim(), elements beyond "
            "coopDim() would be left unwritten\n");
}

TEST(Coverage, LanesMayShareTheElementsOfBothDimensions) {
  VarPtr c = variable("c", {Scalar::I32, 2, 0, false}, ir::VarKind::Param);
  ExprPtr columns = sizeOf(c, 1);
  EXPECT_EQ(inferred(clears(op(lane(), "/", columns), op(lane(), "%", columns))),
            Conditions{"c.size(0) * c.size(1) <= coopDim()"});
}

TEST(Coverage, TheLengthOfARowIsNoConstant) {
  EXPECT_EQ(inferred(clears(op(lane(), "/", 32), op(lane(), "%", 32))), Conditions{});
  EXPECT_EQ(
      unproved(clears(op(lane(), "/", 32), op(lane(), "%", 32))),
      "that the lanes of cooperative codelet 'clear' write every element of 'c' is not proved: "
      "it has to bound c.size(0) by a require");
}

TEST(Coverage, OneStatedBoundSilencesTheWarningForOthers) {
  VarPtr a = input("a"), b = input("b"), product = local("product", Scalar::I32);
  auto dot = [&](bool stated) {
    std::vector<StmtPtr> body;
    if (stated)
      body.push_back(ir::require(op(sizeOf(a), "<=", lanes())));
    body.push_back(let(product, op(at(a, lane(), place(5, 7)), "*", at(b, lane(), place(5, 20)))));
    return codelet("dot", {a, b}, body, true);
  };
  EXPECT_EQ(coverageWarnings(dot(false)).size(), 1u);
  EXPECT_EQ(inferred(dot(false)), (Conditions{"a.size() <= coopDim()", "b.size() <= coopDim()"}));
  EXPECT_TRUE(coverageWarnings(dot(true)).empty());
  EXPECT_EQ(inferred(dot(true)), Conditions{"b.size() <= coopDim()"});
}

} // namespace
} // namespace tangram::composer
