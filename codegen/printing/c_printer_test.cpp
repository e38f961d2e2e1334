#include "codegen/printing/c_printer.h"

#include "codegen/form/building.h"
#include "codegen/printing/c_types.h"
#include "codegen/test_fixture.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace tangram::codegen {
namespace {

using namespace fixture;

/// C, with pieces and barriers as plain as they can be.
class PlainC : public CPrinter {
public:
  using CPrinter::reserve;
  using CPrinter::setName;

  std::string print(const StmtPtr &s) {
    nameVariables(s);
    statement(s);
    return "\n" + take();
  }
  std::string text(const ExprPtr &e) const { return expression(e); }
  using CPrinter::below;
  using CPrinter::extent;
  std::string function(const ir::Function &f) { return "\n" + functionText(f, "static "); }

protected:
  std::string typeName(Scalar type) const override { return cName(type); }
  void parallel(const Stmt &s) override {
    open("for all " + nameOf(s.var.get()));
    body(s.children[0]);
    close();
  }
  bool hasBraces(const Stmt &) const override { return true; }
  void barrier(const Stmt &) override { line("meet();"); }
  std::string unrollHint(unsigned times) const override {
    return "#pragma unroll " + std::to_string(times);
  }
};

std::string c(const ExprPtr &e) { return PlainC().text(e); }

const E x = variable("x", Scalar::I32);
const E y = variable("y", Scalar::I32);
const E z = variable("z", Scalar::I32);
const E array = variable("a", Scalar::I32, VarKind::Buffer);

ExprPtr both(ir::Operator op, const E &a, const E &b) { return ir::binary(op, a.e, b.e); }

using ir::assign;
using ir::block;

/// Workers and loops that are called `lane`, as different passes make them.
class NamesInScopes : public ::testing::Test {
protected:
  static StmtPtr copying(const E &to, const E &from) {
    return assign(ir::index(array.e, {to.e}), "=", from.e);
  }
  StmtPtr workers(StmtPtr body) const {
    return ir::parallel(2, ir::Span::All, worker.var(), count.e, block({std::move(body)}));
  }
  StmtPtr rounds(StmtPtr body) const {
    return countingLoop(round.var(), ir::intLiteral(16), block({std::move(body)}));
  }

  E count = variable("n", Scalar::Index, VarKind::Param);
  E worker = variable("lane", Scalar::Index, VarKind::Worker);
  E round = variable("lane");
};

TEST_F(NamesInScopes, WorkersThatAreNumberedAgainKeepTheirNameToThemselves) {
  EXPECT_EQ(
      PlainC().print(block({workers(copying(worker, 1)), workers(rounds(copying(round, worker)))})),
      R"(
for all lane {
  a[lane] = 1;
}
for all lane {
  for (size_t lane_2 = 0; lane_2 < 16; ++lane_2) {
    a[lane_2] = lane;
  }
}
)");
}

TEST_F(NamesInScopes, ALoopThatStandsOutsideAndInsideHasANameOfItsOwn) {
  EXPECT_EQ(
      PlainC().print(block({rounds(copying(round, 1)), workers(rounds(copying(round, worker)))})),
      R"(
for (size_t lane = 0; lane < 16; ++lane) {
  a[lane] = 1;
}
for all lane_2 {
  for (size_t lane = 0; lane < 16; ++lane) {
    a[lane] = lane_2;
  }
}
)");
}

TEST(CPrinter, IntegerLiterals) {
  EXPECT_EQ(c(ir::intLiteral(42)), "42");
  EXPECT_EQ(c(ir::intLiteral(-42, Scalar::I32)), "-42");
  EXPECT_EQ(c(ir::intLiteral(INT32_MIN, Scalar::I32)), "(-2147483647 - 1)");
  EXPECT_EQ(c(ir::intLiteral(INT64_MIN, Scalar::I64)), "(-9223372036854775807L - 1)");
  EXPECT_EQ(c(ir::intLiteral(INT64_MAX, Scalar::I64)), "9223372036854775807L");
  EXPECT_EQ(c(ir::intLiteral(4000000000, Scalar::U32)), "4000000000U");
  EXPECT_EQ(c(ir::intLiteral(-1, Scalar::U64)), "18446744073709551615UL");
  EXPECT_EQ(c(ir::intLiteral(1, Scalar::Bool)), "true");
  EXPECT_EQ(c(ir::intLiteral(0, Scalar::Bool)), "false");
}

TEST(CPrinter, ExtentsOfArraysCallNoFunction) {
  const ExprPtr least = ir::call("min", ir::scalarType(Scalar::I32), {x.e, y.e});
  EXPECT_EQ(PlainC().extent(ir::binary("+", least, ir::intLiteral(1))), "(x < y ? x : y) + 1");
}

TEST(CPrinter, BoundsOfLoopsStandInParenthesesWhereTheyBindLess) {
  const ExprPtr some = ir::select(ir::binary("!=", x.e, y.e), x.e, ir::intLiteral(0));
  EXPECT_EQ(PlainC().below("i", some), "i < (x != y ? x : 0)");
  EXPECT_EQ(PlainC().below("i", ir::binary("&", x.e, y.e)), "i < (x & y)");
  EXPECT_EQ(PlainC().below("i", ir::binary("+", x.e, y.e)), "i < x + y");
}

TEST(CPrinter, IndexesThatMeetOnlyNumbersAreNoInts) {
  const ExprPtr two = ir::intLiteral(2);
  const ExprPtr four = ir::intLiteral(4);
  const ExprPtr below = ir::binary("-", two, four);
  EXPECT_EQ(c(below), "(size_t)2 - 4");
  EXPECT_EQ(c(ir::binary("%", below, four)), "((size_t)2 - 4) % 4");
  EXPECT_EQ(c(ir::binary("<", ir::intLiteral(-1, Scalar::I32), two)), "(size_t)-1 < 2");
  EXPECT_EQ(c(ir::binary("-", ir::select((x < y).e, two, four), four)),
            "(size_t)(x < y ? 2 : 4) - 4");
  EXPECT_EQ(c(ir::binary("-", x.e, four)), "x - 4");
  EXPECT_EQ(c(ir::binary("-", ir::intLiteral(2, Scalar::I32), ir::intLiteral(4, Scalar::I32))),
            "2 - 4");
}

TEST(CPrinter, FloatingLiteralsReadBackAsTheyWere) {
  EXPECT_EQ(c(ir::realLiteral(1)), "1.0");
  EXPECT_EQ(c(ir::realLiteral(0.1)), "0.1");
  EXPECT_EQ(c(ir::realLiteral(1.0 / 3)), "0.3333333333333333");
  EXPECT_EQ(c(ir::realLiteral(1e30)), "1e+30");
  EXPECT_EQ(c(ir::realLiteral(-2.5)), "-2.5");
  EXPECT_EQ(c(ir::realLiteral(2, Scalar::F32)), "2.0f");
  EXPECT_EQ(c(ir::realLiteral(0.5, Scalar::F32)), "0.5f");
  EXPECT_EQ(c(ir::realLiteral(INFINITY)), "INFINITY");
  EXPECT_EQ(c(ir::realLiteral(-INFINITY)), "-INFINITY");
  EXPECT_EQ(c(ir::realLiteral(NAN)), "NAN");
  for (double value : {std::numeric_limits<double>::max(),
                       std::numeric_limits<double>::denorm_min(), 0.1 + 0.2, 123456789.125})
    EXPECT_EQ(std::strtod(c(ir::realLiteral(value)).c_str(), nullptr), value);
}

TEST(CPrinter, ParenthesesOnlyWhereTheMeaningNeedsThem) {
  EXPECT_EQ(c((x + y) * z), "(x + y) * z");
  EXPECT_EQ(c(x + y * z), "x + y * z");
  EXPECT_EQ(c(x - (y - z)), "x - (y - z)");
  EXPECT_EQ(c((x - y) - z), "x - y - z");
  EXPECT_EQ(c(x / (y * z)), "x / (y * z)");
  EXPECT_EQ(c(x + y < z), "x + y < z");
  EXPECT_EQ(c(both("==", x < y, z < y)), "x < y == z < y");
  EXPECT_EQ(c(array[x + y]), "a[x + y]");
  EXPECT_EQ(c(minE(x + y, z)), "min(x + y, z)");
}

TEST(CPrinter, ParenthesesWhereReadersGetPrecedenceWrong) {
  EXPECT_EQ(c(both("==", both("&", x, y), z)), "(x & y) == z");
  EXPECT_EQ(c(both("&", x, both("+", y, z))), "x & (y + z)");
  EXPECT_EQ(c(both("<<", x + y, z)), "(x + y) << z");
  EXPECT_EQ(c(both("||", both("&&", x, y), z)), "(x && y) || z");
  EXPECT_EQ(c(both("&&", both("&&", x, y), z)), "x && y && z");
  EXPECT_EQ(c(both("|", both("|", x, y), z)), "x | y | z");
}

TEST(CPrinter, UnaryOperatorsAndConversions) {
  EXPECT_EQ(c(ir::unary("-", ir::unary("-", x.e))), "- -x");
  EXPECT_EQ(c(ir::unary("-", ir::intLiteral(-3, Scalar::I32))), "- -3");
  EXPECT_EQ(c(ir::unary("!", (x < y).e)), "!(x < y)");
  EXPECT_EQ(c(ir::unary("-", (x + y).e)), "-(x + y)");
  EXPECT_EQ(c(ir::cast(Scalar::F64, (x + y).e)), "(double)(x + y)");
  EXPECT_EQ(c(ir::cast(Scalar::F64, x.e)), "(double)x");
  EXPECT_EQ(c(both("*", ir::cast(Scalar::U64, x.e), y)), "(unsigned long)x * y");
  EXPECT_EQ(c(x - E(ir::intLiteral(-3, Scalar::I32))), "x - -3");
}

TEST(CPrinter, Selections) {
  EXPECT_EQ(c(ir::select((x < y).e, x.e, y.e)), "x < y ? x : y");
  EXPECT_EQ(c(both("+", ir::select(x.e, y.e, z.e), z)), "(x ? y : z) + z");
  EXPECT_EQ(c(ir::select(x.e, y.e, ir::select(y.e, x.e, z.e))), "x ? y : y ? x : z");
  EXPECT_EQ(c(ir::select(x.e, ir::select(y.e, x.e, z.e), z.e)), "x ? (y ? x : z) : z");
}

TEST(CPrinter, Statements) {
  E i = variable("i");
  E s = variable("s");
  E never = variable("never", Scalar::I32, VarKind::Local, ir::intLiteral(4));
  StmtPtr body = ir::block(
      {let(s, 1), let(never), ir::comment("step one"),
       upTo(i, 3,
            {ir::assign(s.e, "*=", ir::intLiteral(2)),
             when(s < 5, {ir::jump(StmtKind::Continue)}, {set(never[i], x)})}),
       ir::whileLoop((s < 9).e, ir::block({addTo(s, 1)})),
       ir::doWhile(ir::block({ir::assign(s.e, "-=", ir::intLiteral(1)), ir::jump(StmtKind::Break)}),
                   (E(0) < s).e),
       ir::barrier(1), ir::eval(minE(x, y).e), ir::returns(s.e)});
  EXPECT_EQ(PlainC().print(body), R"(
size_t s = 1;
int never[4];

// step one
for (size_t i = 0; i < 3; ++i) {
  s *= 2;
  if (s < 5) {
    continue;
  } else {
    never[i] = x;
  }
}
while (s < 9) {
  ++s;
}
do {
  --s;
  break;
} while (0 < s);
meet();
min(x, y);
return s;
)");
}

TEST(CPrinter, WhatIsNeverAssignedIsConst) {
  E p = variable("p");
  E q = variable("q");
  EXPECT_EQ(PlainC().print(ir::block({let(p, 1), let(q, 2), addTo(q, p)})), R"(
const size_t p = 1;
size_t q = 2;
q += p;
)");
}

TEST(CPrinter, LongConditionsBreakBetweenComparisons) {
  E index = variable("a_number_with_quite_a_long_name", Scalar::I32);
  EXPECT_EQ(
      PlainC().print(ir::ifThen(both("||", E(equals(index, x)), E(array[index] < array[x + index])),
                                ir::block({ir::assign(x.e, "=", y.e)}))),
      R"(
if (a_number_with_quite_a_long_name == x
    || a[a_number_with_quite_a_long_name] < a[x + a_number_with_quite_a_long_name]) {
  x = y;
}
)");
}

TEST(CPrinter, UnrollIsAskedForAboveTheLoopOnceIsNot) {
  E i = variable("i");
  auto four = std::make_shared<Stmt>(*upTo(i, 3, {addTo(x, 1)}));
  four->unroll = 4;
  auto once = std::make_shared<Stmt>(*upTo(i, 3, {addTo(x, 1)}));
  once->unroll = 1;
  EXPECT_EQ(PlainC().print(four), R"(
#pragma unroll 4
for (size_t i = 0; i < 3; ++i) {
  ++x;
}
)");
  EXPECT_EQ(PlainC().print(once), R"(
for (size_t i = 0; i < 3; ++i) {
  ++x;
}
)");
}

// A compiler that finds the hint before something that is no loop refuses the code.
TEST(CPrinter, ALoopThatIsPrintedAsOneVectorIsNotAskedToBeUnrolled) {
  const E e = variable("e");
  const auto printed = [&](std::int64_t rounds) {
    const StmtPtr copied = assign(array[e].e, "=", array[e + 16].e);
    return PlainC().print(
        unrolledLoop(countingLoop(e.var(), ir::intLiteral(rounds), block({copied})), 2, 4));
  };
  EXPECT_EQ(printed(4), R"(
*(int4 *)&a[0] = *(int4 *)&a[16];
)");
  EXPECT_EQ(printed(8), R"(
#pragma unroll 2
for (size_t e = 0; e < 8; e += 4) {
  *(int4 *)&a[e] = *(int4 *)&a[e + 16];
}
)");
}

TEST(CPrinter, NamesAreSharedBySiblingScopesOnly) {
  E outer = variable("i");
  E inner = variable("i");
  E sibling = variable("i");
  EXPECT_EQ(PlainC().print(ir::block({upTo(outer, 3, {upTo(inner, outer, {addTo(x, inner)})}),
                                      upTo(sibling, 5, {addTo(x, sibling)})})),
            R"(
for (size_t i = 0; i < 3; ++i) {
  for (size_t i_2 = 0; i_2 < i; ++i_2) {
    x += i_2;
  }
}
for (size_t i = 0; i < 5; ++i) {
  x += i;
}
)");
}

TEST(CPrinter, NamesOfTheLanguageAndOfTheSurroundingsAreAvoided) {
  E kernel = variable("kernel");
  E taken = variable("len");
  PlainC printer;
  printer.reserve("len");
  EXPECT_EQ(printer.print(ir::block({let(kernel, 1), let(taken, kernel)})), R"(
const size_t kernel_2 = 1;
const size_t len_2 = kernel_2;
)");
}

TEST(CPrinter, AGivenNameStays) {
  E w = variable("worker", Scalar::Index, VarKind::Worker);
  PlainC printer;
  printer.setName(w.var().get(), "get_local_id(0)");
  EXPECT_EQ(printer.print(ir::parallel(2, ir::Span::Turns, w.var(), ir::intLiteral(4),
                                       ir::block({set(array[w], 1)}))),
            R"(
for all get_local_id(0) {
  a[get_local_id(0)] = 1;
}
)");
}

TEST(CPrinter, HelperFunctions) {
  ir::Function twice;
  twice.name = "twice";
  twice.result = ir::scalarType(Scalar::I32);
  twice.params = {variable("v", Scalar::I32, VarKind::Param).var()};
  E v(ir::varRef(twice.params[0]));
  E result = variable("v", Scalar::I32);
  twice.body = ir::block({let(result, v + v), ir::returns(result.e)});
  EXPECT_EQ(PlainC().function(twice), R"(
static int twice(int v) {
  const int v_2 = v + v;
  return v_2;
}
)");
}

TEST(CPrinter, TypesAreSpelledByEachLanguage) {
  EXPECT_EQ(cName(Scalar::Index), "size_t");
  EXPECT_EQ(openclName(Scalar::Index), "ulong");
  EXPECT_EQ(cName(Scalar::I8), "signed char");
  EXPECT_EQ(openclName(Scalar::I8), "char");
  EXPECT_EQ(openclName(Scalar::U32), "uint");
  EXPECT_EQ(openclName(Scalar::F64), "double");
  EXPECT_EQ(libraryName("sqrt", Scalar::F32), "sqrtf");
  EXPECT_EQ(libraryName("sqrt", Scalar::F64), "sqrt");
}

} // namespace
} // namespace tangram::codegen
