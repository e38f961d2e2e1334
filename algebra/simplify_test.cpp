#include "algebra/simplify.h"

#include "algebra/expression_fixture.h"

#include <random>

namespace tangram::algebra {
namespace {

using namespace fixture;

const E x = variable("x");
const E y = variable("y");
const E i32 = variable("i", Scalar::I32);

std::string simple(const E &e, const Facts &facts = {}) {
  return ir::toString(simplify(e.e, facts));
}

TEST(Simplify, FoldsConstants) {
  EXPECT_EQ(simple(E(2) + E(3) * 4), "14");
  EXPECT_EQ(simple(E(7) / 2), "3");
  EXPECT_EQ(simple(E(7) % 4), "3");
  EXPECT_EQ(simple(E(3) <= 3), "true");
  EXPECT_EQ(simple(E(4) < 3), "false");
  EXPECT_EQ(simple(E(7) - 2), "5");
}

TEST(Simplify, LeavesDivisionByZeroToTheProgrammer) {
  EXPECT_EQ(simple(E(7) / 0), "7 / 0");
  EXPECT_EQ(simple(E(7) % 0), "7 % 0");
}

TEST(Simplify, DoesNotFoldAnIndexBelowZero) {
  EXPECT_EQ(simple(E(2) - E(5)), "2 - 5");
  EXPECT_EQ(simple(ir::binary("-", ir::intLiteral(2, Scalar::I32), ir::intLiteral(5, Scalar::I32))),
            "-3");
}

TEST(Simplify, NumbersAboveTheSignedOnesAreNotNegative) {
  ir::ExprPtr large = ir::intLiteral(-1, Scalar::U64); // 2^64 - 1
  ir::ExprPtr five = ir::intLiteral(5, Scalar::U64);
  for (ir::Operator op :
       {ir::Operator(">"), ir::Operator("/"), ir::Operator("%"), ir::Operator("-")})
    EXPECT_EQ(simple(ir::binary(op, large, five)), ir::toString(ir::binary(op, large, five)));
  ir::ExprPtr most = ir::intLiteral(INT64_MAX, Scalar::I64);
  ir::ExprPtr least = ir::intLiteral(INT64_MIN, Scalar::I64);
  EXPECT_EQ(simple(ir::binary("+", most, most)), ir::toString(ir::binary("+", most, most)));
  EXPECT_EQ(simple(ir::binary("/", least, ir::intLiteral(-1, Scalar::I64))),
            ir::toString(ir::binary("/", least, ir::intLiteral(-1, Scalar::I64))));
}

TEST(Simplify, ANumberBelowZeroThatMeetsAnUnsignedTypeIsLarge) {
  const ir::ExprPtr below = ir::intLiteral(-2, Scalar::I32);
  for (Scalar type : {Scalar::U32, Scalar::U64, Scalar::Index}) {
    const ir::ExprPtr three = ir::intLiteral(3, type);
    for (ir::Operator op : {ir::Operator("<"), ir::Operator("<="), ir::Operator(">"),
                            ir::Operator(">="), ir::Operator("=="), ir::Operator("!=")}) {
      EXPECT_EQ(simplify(ir::binary(op, below, three))->kind, ExprKind::Binary) << op.text();
      EXPECT_EQ(simplify(ir::binary(op, three, below))->kind, ExprKind::Binary) << op.text();
    }
  }
  EXPECT_EQ(simple(ir::binary("<=", below, ir::intLiteral(3, Scalar::I32))), "true");
}

TEST(Simplify, NeutralAndAbsorbingOperands) {
  EXPECT_EQ(simple(x + 0), "x");
  EXPECT_EQ(simple(E(0) + x), "x");
  EXPECT_EQ(simple(x - 0), "x");
  EXPECT_EQ(simple(x * 1), "x");
  EXPECT_EQ(simple(E(1) * x), "x");
  EXPECT_EQ(simple(x / 1), "x");
  EXPECT_EQ(simple(x * 0), "0");
  EXPECT_EQ(simple(E(0) / x), "0");
  EXPECT_EQ(simple(x - x), "0");
  EXPECT_EQ(simple(E(0) - x), "0 - x");
}

TEST(Simplify, ConstantsOfASumMeet) {
  EXPECT_EQ(simple((x + 5) - 2), "x + 3");
  EXPECT_EQ(simple((x + 2) - 2), "x");
  EXPECT_EQ(simple((x + 2) - 5), "x - 3");
  EXPECT_EQ(simple((x - 2) + 5), "x + 3");
  EXPECT_EQ(simple((x + 2) + 5), "x + 7");
  EXPECT_EQ(simple((x - 2) - 5), "x - 7");
}

TEST(Simplify, WhatIsAddedAndTakenAwayCancels) {
  EXPECT_EQ(simple((x + y) - x), "y");
  EXPECT_EQ(simple((x + y) - y), "x");
  EXPECT_EQ(simple((x - y) + y), "x");
  EXPECT_EQ(simple((x + y) - 1), "x + y - 1");
}

TEST(Simplify, ArithmeticThatMayWrapStays) {
  ExprPtr five = ir::intLiteral(5, Scalar::I32);
  ExprPtr two = ir::intLiteral(2, Scalar::I32);
  EXPECT_EQ(simple(ir::binary("-", ir::binary("+", i32.e, five), two)), "i + 5 - 2");
}

TEST(Simplify, AnIndexIsNeverBelowZero) {
  EXPECT_EQ(simple(x >= 0), "true");
  EXPECT_EQ(simple(x < 0), "false");
  EXPECT_EQ(simple(E(0) <= x), "true");
  EXPECT_EQ(simple(maxE(x, 0)), "x");
  EXPECT_EQ(simple(minE(x, 0)), "0");
  ExprPtr zero = ir::intLiteral(0, Scalar::I32);
  EXPECT_EQ(simple(ir::binary(">=", i32.e, zero)), "i >= 0");
  EXPECT_EQ(simple(ir::binary("<", i32.e, zero)), "i < 0");
}

TEST(Simplify, AWorkersIndexIsBelowItsCount) {
  Facts facts;
  facts.below.emplace_back(x.var(), y.e);
  EXPECT_EQ(simple(x < y, facts), "true");
  EXPECT_EQ(simple(y > x, facts), "true");
  EXPECT_EQ(simple(x >= y, facts), "false");
  EXPECT_EQ(simple(y <= x, facts), "false");
  EXPECT_EQ(simple(minE(y, x), facts), "x");
  EXPECT_EQ(simple(maxE(x, y), facts), "y");
  EXPECT_EQ(simple(x < y + 1, facts), "true");
  EXPECT_EQ(simple(x < y), "x < y");
}

TEST(Simplify, ACountIsAtLeastOne) {
  Facts facts;
  facts.positive.push_back(y.var());
  EXPECT_EQ(simple(E(0) < y, facts), "true");
  EXPECT_EQ(simple(y <= 0, facts), "false");
  EXPECT_EQ(simple(E(0) < y), "0 < y");
  facts.positive.clear();
  EXPECT_EQ(simple(E(0) < y, facts), "0 < y");
}

TEST(Simplify, LeastAndGreatest) {
  EXPECT_EQ(simple(minE(x, x)), "x");
  EXPECT_EQ(simple(minE(x + y, x)), "x");
  EXPECT_EQ(simple(minE(x, y + x)), "x");
  EXPECT_EQ(simple(maxE(x + y, x)), "x + y");
  EXPECT_EQ(simple(maxE(3, 4)), "4");
  EXPECT_EQ(simple(minE(x, y)), "min(x, y)");
  EXPECT_EQ(simple(minE((x + y - 1) / y, x)), "(x + y - 1) / y");
  EXPECT_EQ(simple(maxE(x, x / y)), "x");
  EXPECT_EQ(simple(minE(x, (x + 3) / 4)), "(x + 3) / 4");
  EXPECT_EQ(simple(minE(x, (x + 4) / 4)), "min(x, (x + 4) / 4)");
  EXPECT_EQ(simple(minE((x + y) / y, x)), "min((x + y) / y, x)");
}

TEST(Simplify, ASumOfWhatMayHaveWrappedAroundMayBeLess) {
  const E k = ir::cast(Scalar::Index, variable("k", Scalar::I64).e);
  EXPECT_EQ(simple(maxE(x + k, x)), "max(x + (index)k, x)");
  EXPECT_EQ(simple(maxE(x + 1 + k, 1)), "max(x + 1 + (index)k, 1)");
  EXPECT_EQ(simple(minE(x + (y - x), x)), "min(y, x)");
  EXPECT_EQ(simple((x + k) / 1 < x), "x + (index)k < x");
  EXPECT_EQ(simple(maxE(maxE(x - y, x) + 1, 1)), "max(max(x - y, x) + 1, 1)");
  EXPECT_EQ(simple((x - 1) / x), "0");
}

TEST(Simplify, LogicSelectionAndNegation) {
  E yes = ir::intLiteral(1, Scalar::Bool);
  E no = ir::intLiteral(0, Scalar::Bool);
  E c = x < y;
  EXPECT_EQ(simple(ir::binary("&&", yes.e, c.e)), "x < y");
  EXPECT_EQ(simple(ir::binary("&&", no.e, c.e)), "false");
  EXPECT_EQ(simple(ir::binary("||", yes.e, c.e)), "true");
  EXPECT_EQ(simple(ir::binary("||", c.e, no.e)), "x < y");
  EXPECT_EQ(simple(ir::unary("!", yes.e)), "false");
  EXPECT_EQ(simple(ir::select(no.e, x.e, y.e)), "y");
}

TEST(Simplify, ConversionsOfConstants) {
  EXPECT_EQ(simple(ir::cast(Scalar::Index, ir::intLiteral(5, Scalar::I32))), "5");
  EXPECT_EQ(simplify(ir::cast(Scalar::Index, ir::intLiteral(5, Scalar::I32)))->type.scalar,
            Scalar::Index);
  EXPECT_EQ(simple(ir::cast(Scalar::Index, ir::select((x < y).e, ir::intLiteral(1, Scalar::I32),
                                                      ir::intLiteral(0, Scalar::I32)))),
            "x < y ? 1 : 0");
  ExprPtr negative = ir::cast(Scalar::Index, ir::intLiteral(-1, Scalar::I32));
  EXPECT_EQ(simplify(negative)->kind, ExprKind::Cast);
}

TEST(Simplify, ConversionsThatKeepWhatTheNextOneTakesGo) {
  EXPECT_EQ(simple(ir::cast(Scalar::I32, ir::cast(Scalar::U64, i32.e))), "i");
  EXPECT_EQ(simple(ir::cast(Scalar::U8, ir::cast(Scalar::I64, i32.e))), "(unsigned char)i");
  EXPECT_EQ(simplify(ir::cast(Scalar::I64, ir::cast(Scalar::U32, i32.e)))->args[0]->kind,
            ExprKind::Cast);
  EXPECT_EQ(simplify(ir::cast(Scalar::I32, ir::cast(Scalar::Bool, i32.e)))->args[0]->kind,
            ExprKind::Cast);
}

TEST(Simplify, AConversionThatChangesTheValueStays) {
  for (Scalar narrow : {Scalar::U8, Scalar::I8})
    EXPECT_EQ(simplify(ir::cast(narrow, ir::intLiteral(300, Scalar::I32)))->kind, ExprKind::Cast);
  ExprPtr large = ir::intLiteral(std::int64_t{1} << 32, Scalar::I64);
  EXPECT_EQ(simplify(ir::cast(Scalar::I32, large))->kind, ExprKind::Cast);
}

TEST(Simplify, AResultItsTypeCannotHoldStays) {
  ExprPtr large = ir::intLiteral(4000000000, Scalar::U32);
  ExprPtr half = ir::binary("/", ir::binary("+", large, large), ir::intLiteral(2, Scalar::U32));
  EXPECT_NE(simple(half), "4000000000");
}

TEST(Simplify, BranchesThatAWorkersIndexDecidesAreResolved) {
  E w = variable("w", Scalar::Index, VarKind::Worker);
  StmtPtr s = ir::parallel(1, ir::Span::Turns, w.var(), y.e,
                           ir::block({when(w < y, {set(x, w)}, {set(x, 0)}),
                                      when(w >= y, {set(x, 1)}), set(x, minE(w, y))}));
  EXPECT_EQ(ir::toString(simplify(s)), "parallel level 1 w < y {\n"
                                       "  x = w;\n"
                                       "  x = w;\n"
                                       "}\n");
}

TEST(Simplify, WhatOneWorkerIsLeftForIsRunByOne) {
  E w = variable("w", Scalar::Index, VarKind::Worker);
  auto spanOf = [&](const E &count) {
    return simplify(ir::parallel(1, ir::Span::Turns, w.var(), count.e, ir::block({})))->span;
  };
  EXPECT_EQ(spanOf(y), ir::Span::Turns);
  EXPECT_EQ(spanOf(y - y + 1), ir::Span::One);
}

TEST(Simplify, OutsideOfThePieceItsWorkerIsNotBounded) {
  E w = variable("w", Scalar::Index, VarKind::Worker);
  StmtPtr s = ir::block({ir::parallel(1, ir::Span::Turns, w.var(), y.e, ir::block({set(x, 0)})),
                         when(w < y, {set(x, 1)})});
  EXPECT_EQ(ir::toString(simplify(s)), "parallel level 1 w < y {\n"
                                       "  x = 0;\n"
                                       "}\n"
                                       "if (w < y) {\n"
                                       "  x = 1;\n"
                                       "}\n");
}

/// Random index expressions over x < y and y >= 1.
class RandomExpressions {
public:
  E next(int depth) {
    int what = pick(depth == 0 ? 3 : 10);
    switch (what) {
    case 0:
      return x;
    case 1:
      return y;
    case 2:
      return pick(4);
    default:
      break;
    }
    E a = next(depth - 1);
    E b = next(depth - 1);
    switch (what) {
    case 3:
    case 4:
      return a + b;
    case 5:
    case 6:
      return a - b;
    case 7:
      return a * b;
    case 8:
      return minE(a, b);
    default:
      return maxE(a, b);
    }
  }

private:
  int pick(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  std::mt19937 random{1};
};

std::size_t length(const ExprPtr &e) {
  std::size_t nodes = 0;
  ir::forEach(e, [&](const ir::Expr &) { ++nodes; });
  return nodes;
}

TEST(Simplify, KeepsTheValueOfRandomExpressionsAndNeverGrowsThem) {
  Facts facts;
  facts.below.emplace_back(x.var(), y.e);
  facts.positive.push_back(y.var());
  RandomExpressions expressions;
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    E e = expressions.next(4);
    ExprPtr simpler = simplify(e.e, facts);
    EXPECT_LE(length(simpler), length(e.e)) << ir::toString(e.e);
    for (auto [vx, vy] : {std::pair{0, 1}, {0, 3}, {2, 3}, {5, 9}}) {
      Interpreter value;
      value.set(x, vx);
      value.set(y, vy);
      std::int64_t expected = value(e.e);
      if (value.wrong)
        continue;
      ++compared;
      EXPECT_EQ(value(simpler), expected)
          << ir::toString(e.e) << " became " << ir::toString(simpler) << " with x = " << vx
          << ", y = " << vy;
      EXPECT_FALSE(value.wrong) << ir::toString(e.e) << " became " << ir::toString(simpler);
    }
  }
  EXPECT_GT(compared, 3000);
}

TEST(Simplify, MakersFoldOnTheSpot) {
  EXPECT_EQ(ir::toString(add(x.e, ir::intLiteral(0))), "x");
  EXPECT_EQ(ir::toString(mul(ir::intLiteral(1), x.e)), "x");
  EXPECT_EQ(ir::toString(sub((x + 1).e, ir::intLiteral(1))), "x");
  EXPECT_EQ(ir::toString(ceilDiv(x.e, ir::intLiteral(1))), "x");
  EXPECT_EQ(ir::toString(ceilDiv(x.e, y.e)), "(x + y - 1) / y");
  EXPECT_EQ(ir::toString(minOf(x.e, x.e)), "x");
  EXPECT_EQ(ir::toString(maxOf(x.e, ir::intLiteral(0))), "x");
}

} // namespace
} // namespace tangram::algebra
