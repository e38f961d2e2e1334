#include "composer/coverage.h"

#include "composer/analysis_fixture.h"

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
  EXPECT_EQ(inferred(f.reading({op(lane(), "^", 1)})), Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(inferred(f.reading({op(op(lanes(), "-", 1), "-", lane())})),
            Conditions{"in.size() <= coopDim()"});
  EXPECT_EQ(inferred(f.reading({op(op(sizeOf(f.in), "-", 1), "-", lane())})),
            Conditions{"in.size() <= coopDim()"});
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
