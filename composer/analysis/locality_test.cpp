#include "composer/analysis/locality.h"

#include "composer/analysis/matrix_fixture.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using namespace fixture;

std::string text(const std::optional<Stride> &stride) {
  if (!stride)
    return "-";
  std::string result = nameOf(stride->strideClass);
  return stride->distance ? result + " " + ir::toString(stride->distance) : result;
}

/// One line an access: text, use, stride within, stride between.
std::vector<std::string> describe(const ir::Codelet &codelet, const ir::Program &program = {}) {
  std::vector<std::string> lines;
  for (const Access &a : accesses(program, codelet)) {
    lines.push_back(a.text + (a.reads ? " r" : " ") + (a.writes ? "w" : "") + " | " +
                    text(a.within) + " | " + text(a.between));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Locality, SequentialSumReadsNeighboursOneAfterTheOther) {
  EXPECT_EQ(describe(sequentialSum()), Lines{"in[i] r | unit 1 | -"});
}

TEST(Locality, KoggeStoneReadsNeighboursInNeighbouringLanes) {
  Lines expected{"in[id] r | - | unit 1", "tmp[id] w | - | unit 1",
                 "tmp[id - s] r | irregular | unit 1", "tmp[id] rw | zero 0 | unit 1",
                 "tmp[coopDim() - 1] r | - | zero 0"};
  EXPECT_EQ(describe(koggeStoneSum()), expected);
}

TEST(Locality, TilesAreAdjacent) {
  EXPECT_EQ(describe(tiledSum(), sumProgram()),
            Lines{"partition(in, p, ...) r | unit 1 | constant tile"});
}

TEST(Locality, StridedTilesInterleave) {
  EXPECT_EQ(describe(strideTiledSum(), sumProgram()),
            Lines{"partition(in, p, ...) r | constant p | unit 1"});
}

TEST(Locality, LaneStridedLoop) {
  // for (i = coopIdx(); i < in.size(); i += coopDim()) accum += in[i];
  VarPtr in = input("in"), i = local("i"), accum = local("accum", Scalar::I32);
  auto c = codelet("", {in},
                   {let(accum, 0), loop(i, lane(), op(i, "<", sizeOf(in)), set(i, "+=", lanes()),
                                        {set(accum, "+=", at(in, i))})},
                   true);
  EXPECT_EQ(describe(c), Lines{"in[i] r | constant coopDim() | unit 1"});
}

TEST(Locality, DefinitionsAndConversionsAreSeenThrough) {
  // for (int i = 0; ...) { unsigned j = 2 * i + 3; accum += in[(unsigned)j]; accum += in[7]; }
  VarPtr in = input("in"), i = local("i", Scalar::I32), j = local("j");
  VarPtr accum = local("accum", Scalar::I32);
  auto c =
      codelet("", {in},
              {let(accum, 0), upTo(i, 10,
                                   {let(j, op(op(2, "*", i), "+", 3)),
                                    set(accum, "+=", at(in, ir::cast(Scalar::I64, ir::varRef(j)))),
                                    set(accum, "+=", at(in, 7))})});
  EXPECT_EQ(describe(c), (Lines{"in[(long)j] r | constant 2 | -", "in[7] r | zero 0 | -"}));
}

TEST(Locality, AVariableDefinedByItselfIsNotLookedInto) {
  VarPtr in = input("in"), x = local("x"), accum = local("accum", Scalar::I32);
  auto c = codelet("", {in}, {let(x, x), let(accum, at(in, op(x, "+", 1)))});
  EXPECT_EQ(describe(c), Lines{"in[x + 1] r | - | -"});
}

TEST(Locality, CountdownAndWhileLoops) {
  // i = n; while (i > 0) { i -= 1; accum += in[i]; }
  VarPtr in = input("in"), i = local("i"), accum = local("accum", Scalar::I32);
  auto c = codelet(
      "", {in},
      {let(accum, 0), let(i, sizeAs(in)),
       ir::whileLoop(op(i, ">", 0), ir::block({set(i, "-=", 1), set(accum, "+=", at(in, i))}))});
  EXPECT_EQ(describe(c), Lines{"in[i] r | unit -1 | -"});
}

TEST(Locality, ANonLinearIndexIsIrregular) {
  VarPtr in = input("in"), i = local("i"), accum = local("accum", Scalar::I32);
  auto c = codelet("", {in},
                   {let(accum, 0), upTo(i, 10,
                                        {set(accum, "+=", at(in, op(i, "*", i))),
                                         set(accum, "+=", at(in, op(i, "/", 2)))})});
  EXPECT_EQ(describe(c), (Lines{"in[i * i] r | irregular | -", "in[i / 2] r | irregular | -"}));
}

TEST(Locality, AVariableThatChangesUnderAConditionIsIrregular) {
  VarPtr in = input("in"), i = local("i"), k = local("k"), accum = local("accum", Scalar::I32);
  auto c = codelet(
      "", {in},
      {let(accum, 0), let(k, 0),
       upTo(i, 10,
            {ir::ifThen(op(at(in, i), ">", 0), set(k, "+=", 1)), set(accum, "+=", at(in, k))})});
  EXPECT_EQ(describe(c), (Lines{"in[i] r | unit 1 | -", "in[k] r | irregular | -"}));
}

TEST(Locality, IndirectReadsAreIrregular) {
  // out[index[i]] = in[i];
  VarPtr in = input("in"), index = input("index", Scalar::U32), out = output("out");
  VarPtr i = local("i");
  auto c =
      codelet("", {in, index, out}, {upTo(i, 10, {set(at(out, at(index, i)), "=", at(in, i))})});
  EXPECT_EQ(describe(c), (Lines{"in[i] r | unit 1 | -", "index[i] r | unit 1 | -",
                                "out[index[i]] w | irregular | -"}));
}

TEST(Locality, OuterLoopVariablesDoNotMoveAnInnerLoop) {
  VarPtr in = input("in"), i = local("i"), j = local("j"), accum = local("accum", Scalar::I32);
  VarPtr width = scalarParam("width", Scalar::U32);
  auto c =
      codelet("", {in, width},
              {let(accum, 0), upTo(i, 10,
                                   {upTo(j, width,
                                         {set(accum, "+=", at(in, op(op(i, "*", width), "+", j))),
                                          set(accum, "+=", at(in, op(op(j, "*", width), "+", i))),
                                          set(accum, "+=", at(in, i))})})});
  EXPECT_EQ(describe(c),
            (Lines{"in[i * width + j] r | unit 1 | -", "in[j * width + i] r | constant width | -",
                   "in[i] r | zero 0 | -"}));
}

TEST(Locality, RowsOfATwoDimensionalContainerAreAnExtentApart) {
  VarPtr a = variable("a", {Scalar::F32, 2, 0, true}, ir::VarKind::Param);
  VarPtr i = local("i"), j = local("j"), accum = local("accum", Scalar::F32);
  ExprPtr element = ir::index(ir::varRef(a), {ir::varRef(i), ir::varRef(j)});
  auto byColumn = codelet("", {a}, {upTo(j, 10, {upTo(i, 10, {set(accum, "+=", element)})})});
  auto byRow = codelet("", {a}, {upTo(i, 10, {upTo(j, 10, {set(accum, "+=", element)})})});
  EXPECT_EQ(describe(byColumn), Lines{"a[i][j] r | constant a.size(1) | -"});
  EXPECT_EQ(describe(byRow), Lines{"a[i][j] r | unit 1 | -"});
}

TEST(Locality, RowsReadFromAContainer) {
  // map(f, partition(in, n, sequence(rows, 0, 1, n), sequence(1), sequence(rows, 1, 1, n + 1)))
  VarPtr in = input("in"), rows = input("rows", Scalar::U32), n = tunable("n");
  auto c = codelet("", {in, rows},
                   {ir::eval(map("sum", {partition(in, n, sequence({rows, 0, 1, n}), sequence({1}),
                                                   sequence({rows, 1, 1, op(n, "+", 1)}))}))});
  EXPECT_EQ(describe(c, sumProgram()), (Lines{"sequence(rows, 0, 1, n) r | - | unit 1",
                                              "sequence(rows, 1, 1, n + 1) r | - | unit 1",
                                              "partition(in, n, ...) r | unit 1 | irregular"}));
}

TEST(Locality, MapsGiveNeighbouringElementsToNeighbouringWorkers) {
  // scale(const Array in, Array out); map(scale, all(in), out) writes out
  VarPtr in = input("in"), out = output("out");
  auto atomic = codelet("", {in, out}, {});
  ir::Program p = program({spectrum("scale", {atomic}, Scalar::Void)});
  VarPtr a = input("a"), b = output("b");
  auto c = codelet("", {a, b}, {ir::eval(map("scale", {all(a), ir::varRef(b)}))});
  EXPECT_EQ(describe(c, p), (Lines{"all(a) r | - | zero 0", "b rw | - | unit 1"}));
}

TEST(Locality, PartsAndElementsOfAMatrixAreRowsApart) {
  EXPECT_EQ(describe(rowProduct(), productProgram({rowProduct()})).front(),
            "partition(a, (index)n, ...) r | unit 1 | "
            "constant a.size(1) * ((a.size(0) + (index)n - 1) / (index)n)");
  EXPECT_EQ(describe(foldedProduct(), productProgram({foldedProduct()})).front(),
            "partition(a, (index)n, ...) r | unit 1 | "
            "constant (a.size(1) + (index)n - 1) / (index)n");
  // y = map(scale, a): a worker reads a row and writes an element.
  VarPtr a = matrix("a", true), y = output("y"), row = input("row");
  ir::Program p = program({spectrum("scale", {codelet("", {row}, {})})});
  auto c = codelet("", {a, y}, {set(ir::varRef(y), "=", map("scale", {ir::varRef(a)}))});
  EXPECT_EQ(describe(c, p), (Lines{"a r | - | constant a.size(1)", "y w | - | unit 1"}));
}

TEST(Locality, AtomicsReadAndWrite) {
  VarPtr in = input("in"), hist = output("hist"), i = local("i");
  ExprPtr add = ir::node(ir::ExprKind::Atomic, ir::scalarType(Scalar::I32),
                         {at(hist, at(in, i)), Operand(1).expr});
  auto c = codelet("", {in, hist}, {upTo(i, sizeOf(in), {ir::eval(add)})});
  EXPECT_EQ(describe(c), (Lines{"in[i] r | unit 1 | -", "hist[in[i]] rw | irregular | -"}));
}

TEST(Locality, ALaneDependentStepIsIrregularBetweenLanes) {
  // k differs by lane because it changes under a condition on the lane
  VarPtr in = input("in"), k = local("k"), accum = local("accum", Scalar::I32);
  auto c = codelet("", {in},
                   {let(k, 0), ir::ifThen(op(lane(), ">", 3), set(k, "=", 5)),
                    let(accum, at(in, k)), set(accum, "+=", at(in, op(lane(), "/", 2)))},
                   true);
  EXPECT_EQ(describe(c), (Lines{"in[k] r | - | irregular", "in[coopIdx() / 2] r | - | irregular"}));
}

} // namespace
} // namespace tangram::composer
