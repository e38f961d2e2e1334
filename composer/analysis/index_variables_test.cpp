#include "composer/analysis/index_variables.h"

#include "composer/analysis/analysis_fixture.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using namespace fixture;

ir::Codelet widened(const ir::Codelet &codelet) {
  return widenIndexVariables(program({spectrum("f", {codelet})})).spectrums[0].codelets[0];
}

std::string textOf(const ir::Codelet &codelet) { return ir::toString(widened(codelet).body); }

TEST(IndexVariables, SequentialSum) {
  EXPECT_EQ(textOf(sequentialSum()), "index len = in.size();\n"
                                     "int accum = 0;\n"
                                     "for (index i = 0; i < len; i += 1) {\n"
                                     "  accum += in[i];\n"
                                     "}\n"
                                     "return accum;\n");
}

TEST(IndexVariables, KoggeStoneSum) {
  EXPECT_EQ(textOf(koggeStoneSum()), "require(in.size() <= coopDim());\n"
                                     "__shared int tmp[coopDim()];\n"
                                     "index len = in.size();\n"
                                     "index id = coopIdx();\n"
                                     "tmp[id] = id < len ? in[id] : 0;\n"
                                     "for (index s = 1; s < coopDim(); s *= 2) {\n"
                                     "  if (id >= s)\n"
                                     "    tmp[id] += tmp[id - s];\n"
                                     "}\n"
                                     "return tmp[coopDim() - 1];\n");
}

TEST(IndexVariables, TilesOfSumTunableIncluded) {
  EXPECT_EQ(textOf(tiledSum()),
            "__tunable index p;\n"
            "index len = in.size();\n"
            "index tile = (len + p - 1) / p;\n"
            "return sum(map(sum, partition(in, p, sequence(0, tile, len), sequence(1), "
            "sequence(tile, tile, len + 1))));\n");
  EXPECT_EQ(textOf(strideTiledSum()),
            "__tunable index p;\n"
            "index len = in.size();\n"
            "return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p), "
            "sequence(len))));\n");
}

TEST(IndexVariables, EveryNodeOfAPositionIsRetyped) {
  for (const ir::Codelet &codelet : {sequentialSum(), koggeStoneSum(), tiledSum()}) {
    ir::forEachExpr(widened(codelet).body, [&](const ir::Expr &e) {
      if (e.kind == ir::ExprKind::Index) {
        EXPECT_EQ(e.args[1]->type.scalar, Scalar::Index) << ir::toString(e.args[1]);
      }
      if (e.kind == ir::ExprKind::Sequence) {
        for (const ExprPtr &arg : e.args)
          EXPECT_EQ(arg->type.scalar, Scalar::Index) << ir::toString(arg);
      }
      EXPECT_NE(e.type.scalar, Scalar::U32) << ir::toString(std::make_shared<ir::Expr>(e));
    });
  }
}

TEST(IndexVariables, WideningTwiceChangesNothing) {
  ir::Program once = widenIndexVariables(sumProgram());
  ir::Program twice = widenIndexVariables(once);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(ir::toString(twice.spectrums[0].codelets[i].body),
              ir::toString(once.spectrums[0].codelets[i].body));
}

TEST(IndexVariables, CountdownToZeroStaysSigned) {
  // int n = in.size(); for (int i = n - 1; i >= 0; --i) accum += in[i];
  VarPtr in = input("in"), n = local("n", Scalar::I32), i = local("i", Scalar::I32);
  VarPtr accum = local("accum", Scalar::I32);
  auto c = codelet(
      "", {in},
      {let(accum, 0), let(n, sizeAs(in, Scalar::I32)),
       loop(i, op(n, "-", 1), op(i, ">=", 0), set(i, "-=", 1), {set(accum, "+=", at(in, i))})});
  EXPECT_EQ(textOf(c), "int accum = 0;\n"
                       "index n = in.size();\n"
                       "for (long i = (long)n - 1; i >= 0; i -= 1) {\n"
                       "  accum += in[i];\n"
                       "}\n");
}

TEST(IndexVariables, UnsignedCountdownWrapsAsBefore) {
  // for (unsigned i = in.size() - 1; i < in.size(); --i) accum += in[i];
  VarPtr in = input("in"), i = local("i"), accum = local("accum", Scalar::I32);
  auto c = codelet(
      "", {in},
      {let(accum, 0), loop(i, ir::cast(Scalar::U32, op(sizeOf(in), "-", 1)), op(i, "<", sizeOf(in)),
                           set(i, "-=", 1), {set(accum, "+=", at(in, i))})});
  EXPECT_EQ(textOf(c), "int accum = 0;\n"
                       "for (index i = in.size() - 1; i < in.size(); i -= 1) {\n"
                       "  accum += in[i];\n"
                       "}\n");
}

TEST(IndexVariables, AnUnsignedSentinelStaysTheLargestValue) {
  // unsigned found = -1; for (i ...) if (in[i] == 0) found = i; if (found != -1) return in[found];
  VarPtr in = input("in"), found = local("found"), i = local("i");
  ExprPtr minusOne = Operand(-1).expr;
  auto c = codelet("", {in},
                   {let(found, minusOne),
                    upTo(i, sizeOf(in), {ir::ifThen(op(at(in, i), "==", 0), set(found, "=", i))}),
                    ir::ifThen(op(found, "!=", minusOne), ir::returns(at(in, found)))});
  EXPECT_EQ(textOf(c), "index found = (index)-1;\n"
                       "for (index i = 0; i < in.size(); i += 1) {\n"
                       "  if (in[i] == 0)\n"
                       "    found = i;\n"
                       "}\n"
                       "if (found != (index)-1)\n"
                       "  return in[found];\n");
}

TEST(IndexVariables, AnIntThatOnlyCountsUpBecomesAnIndex) {
  VarPtr in = input("in"), i = local("i", Scalar::I32), accum = local("accum", Scalar::I32);
  auto c = codelet(
      "", {in}, {let(accum, 0), upTo(i, sizeAs(in, Scalar::I32), {set(accum, "+=", at(in, i))})});
  EXPECT_EQ(textOf(c), "int accum = 0;\n"
                       "for (index i = 0; i < in.size(); i += 1) {\n"
                       "  accum += in[i];\n"
                       "}\n");
}

TEST(IndexVariables, VariablesSayWhetherTheyMayHoldWhatHasWrappedAround) {
  // before = i - 1; half = before / 2; rest = i; rest -= half;
  VarPtr in = input("in"), accum = local("accum", Scalar::I32), i = local("i");
  VarPtr before = local("before"), half = local("half"), rest = local("rest");
  auto c = codelet(
      "", {in},
      {let(accum, 0), upTo(i, sizeOf(in),
                           {let(before, op(i, "-", 1)), let(half, op(before, "/", 2)), let(rest, i),
                            set(rest, "-=", half), set(accum, "+=", at(in, rest))})});
  std::map<std::string, bool> wraps;
  ir::forEach(widened(c).body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Decl)
      wraps[s.var->name] = s.var->wraps;
  });
  EXPECT_EQ(wraps,
            (std::map<std::string, bool>{
                {"accum", false}, {"i", false}, {"before", true}, {"half", true}, {"rest", true}}));
}

TEST(IndexVariables, AHashOfDataStays) {
  // h = h * 31 + in[i]; out[h % len] += 1;
  VarPtr in = input("in"), out = output("out"), h = local("h"), i = local("i");
  VarPtr len = local("len");
  auto c = codelet("", {in, out},
                   {let(h, 17), let(len, sizeAs(out)),
                    upTo(i, sizeOf(in),
                         {set(h, "=", op(op(h, "*", 31), "+", ir::cast(Scalar::U32, at(in, i)))),
                          set(at(out, op(h, "%", len)), "+=", 1)})});
  EXPECT_EQ(textOf(c), "unsigned h = 17;\n"
                       "index len = out.size();\n"
                       "for (index i = 0; i < in.size(); i += 1) {\n"
                       "  h = h * 31 + (unsigned)in[i];\n"
                       "  out[h % (unsigned)len] += 1;\n"
                       "}\n");
}

TEST(IndexVariables, AHashOfPositionsStays) {
  // Three ways to wrap without data: bit operations, a large factor, growth no loop bounds.
  VarPtr in = input("in"), i = local("i"), accum = local("accum", Scalar::I32);
  VarPtr a = local("a"), b = local("b"), d = local("d");
  ExprPtr large = ir::intLiteral(2654435761, Scalar::U32);
  auto c = codelet("", {in},
                   {let(accum, 0), let(d, 5381),
                    upTo(i, sizeOf(in),
                         {let(a, op(i, "^", op(i, ">>", 3))), let(b, op(i, "*", large)),
                          set(d, "=", op(op(op(d, "<<", 5), "+", d), "+", i)),
                          set(accum, "+=", at(in, op(op(op(a, "+", b), "+", d), "%", 64)))})});
  EXPECT_EQ(textOf(c), "int accum = 0;\n"
                       "unsigned d = 5381;\n"
                       "for (index i = 0; i < in.size(); i += 1) {\n"
                       "  unsigned a = (unsigned)i ^ (unsigned)(i >> 3);\n"
                       "  unsigned b = (unsigned)i * 2654435761;\n"
                       "  d = (d << 5) + d + (unsigned)i;\n"
                       "  accum += in[(a + b + d) % 64];\n"
                       "}\n");
}

TEST(IndexVariables, DataKeepsItsArithmetic) {
  // accum + i, a division, a call, floating point, and what is returned
  VarPtr in = input("in"), i = local("i"), accum = local("accum", Scalar::I32);
  VarPtr mean = local("mean", Scalar::F32), len = local("len");
  auto c = codelet(
      "", {in},
      {let(accum, 0), let(len, sizeAs(in)),
       upTo(i, len, {set(accum, "=", op(accum, "+", op(at(in, i), "/", op(i, "+", 1))))}),
       let(mean, ir::cast(Scalar::F32, ir::varRef(len))), set(mean, "=", op(mean, "/", len)),
       set(mean, "=", ir::call("scaled", ir::scalarType(Scalar::F32), {ir::varRef(len)})),
       ir::ifThen(ir::varRef(len), ir::returns(ir::varRef(len)))});
  EXPECT_EQ(textOf(c), "int accum = 0;\n"
                       "index len = in.size();\n"
                       "for (index i = 0; i < len; i += 1) {\n"
                       "  accum = accum + in[i] / (unsigned)(i + 1);\n"
                       "}\n"
                       "float mean = (float)len;\n"
                       "mean = mean / (float)len;\n"
                       "mean = scaled((unsigned)len);\n"
                       "if (len)\n"
                       "  return (unsigned)len;\n");
}

TEST(IndexVariables, ComparisonsWithDataAreMadeWide) {
  VarPtr in = input("in"), n = scalarParam("n", Scalar::I32), m = scalarParam("m", Scalar::U32);
  VarPtr i = local("i", Scalar::I32), j = local("j"), accum = local("accum", Scalar::I32);
  auto c = codelet("", {in, n, m},
                   {let(accum, 0), upTo(i, n, {set(accum, "+=", at(in, i))}),
                    upTo(j, m, {set(accum, "+=", at(in, j))}),
                    ir::ifThen(op(j, "<", n), set(accum, "=", 0))});
  EXPECT_EQ(textOf(c), "int accum = 0;\n"
                       "for (index i = 0; (long)i < (long)n; i += 1) {\n"
                       "  accum += in[i];\n"
                       "}\n"
                       "for (index j = 0; j < (index)m; j += 1) {\n"
                       "  accum += in[j];\n"
                       "}\n"
                       "if (j < (index)(unsigned)n)\n"
                       "  accum = 0;\n");
}

TEST(IndexVariables, PositionsChosenByDataAreIndexes) {
  // best = in[i] > in[best] ? i : best
  VarPtr in = input("in"), i = local("i"), best = local("best");
  auto c = codelet(
      "", {in},
      {let(best, 0),
       upTo(i, sizeOf(in),
            {set(best, "=",
                 ir::select(op(at(in, i), ">", at(in, best)), ir::varRef(i), ir::varRef(best)))}),
       ir::returns(ir::cast(Scalar::I32, ir::varRef(best)))});
  EXPECT_EQ(textOf(c), "index best = 0;\n"
                       "for (index i = 0; i < in.size(); i += 1) {\n"
                       "  best = in[i] > in[best] ? i : best;\n"
                       "}\n"
                       "return (int)best;\n");
}

TEST(IndexVariables, WhatIsNoPositionStays) {
  VarPtr in = input("in"), n = scalarParam("n", Scalar::U32), rows = input("rows", Scalar::U32);
  VarPtr k = local("k"), last = local("last"), row = local("row"),
         narrow = local("narrow", Scalar::U16);
  VarPtr accum = local("accum", Scalar::I32);
  auto c = codelet("", {in, n, rows},
                   {let(k, 0), let(last, op(n, "-", 1)), let(row, at(rows, 0)), let(narrow, 0),
                    ir::whileLoop(op(k, "<", 10), ir::block({set(k, "+=", 1)})),
                    let(accum, op(at(in, last), "+", op(at(in, row), "+", at(in, narrow))))});
  EXPECT_EQ(textOf(c), "unsigned k = 0;\n"
                       "unsigned last = n - 1;\n"
                       "unsigned row = rows[0];\n"
                       "unsigned short narrow = 0;\n"
                       "while (k < 10) {\n"
                       "  k += 1;\n"
                       "}\n"
                       "int accum = in[last] + (in[row] + in[narrow]);\n");
}

TEST(IndexVariables, PositionsOfPositionalParametersAreIndexes) {
  VarPtr in = input("in"), from = scalarParam("from", Scalar::Index);
  VarPtr i = local("i"), place = local("place"), accum = local("accum", Scalar::I32);
  auto c = codelet("", {from, in},
                   {let(i, 0), let(place, ir::cast(Scalar::U32, op(from, "+", op(i, "+", 1)))),
                    let(accum, at(in, place))});
  EXPECT_EQ(textOf(c), "index i = 0;\n"
                       "index place = from + (i + 1);\n"
                       "int accum = in[place];\n");
}

TEST(IndexVariables, ExtentsFollowTheirVariables) {
  VarPtr in = input("in"), len = local("len");
  VarPtr copy = sharedArray("copy", op(len, "+", 1));
  auto c = codelet("", {in},
                   {let(len, sizeAs(in)), ir::declare(copy, nullptr),
                    set(at(copy, lane()), "=", at(in, lane()))},
                   true);
  ir::Codelet wide = widened(c);
  EXPECT_EQ(ir::toString(wide.body), "index len = in.size();\n"
                                     "__shared int copy[len + 1];\n"
                                     "copy[coopIdx()] = in[coopIdx()];\n");
  const ir::Stmt &declaration = *wide.body->children[1];
  EXPECT_EQ(declaration.var->extent->type.scalar, Scalar::Index);
  EXPECT_EQ(wide.body->children[2]->target->args[0]->var, declaration.var);
}

TEST(IndexVariables, ExtentsOfLocalContainersArePositions) {
  VarPtr in = input("in"), p = tunable("p"), n = local("n"), t = output("t");
  ir::ExprPtr made = ir::node(ir::ExprKind::Allocate, t->type, {op(p, "*", n)});
  ir::Codelet wide = widened(codelet("", {in}, {ir::declare(p, nullptr), let(n, 4), let(t, made)}));
  EXPECT_EQ(ir::toString(wide.body), "__tunable index p;\n"
                                     "index n = 4;\n"
                                     "Array<1, int> t = Array<1, int>(p * n);\n");
  EXPECT_EQ(wide.body->children[2]->value->args[0]->type.scalar, Scalar::Index);
}

} // namespace
} // namespace tangram::composer
