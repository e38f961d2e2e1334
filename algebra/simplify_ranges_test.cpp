#include "algebra/simplify.h"

#include "algebra/expression_fixture.h"

#include <random>

namespace tangram::algebra {
namespace {

using namespace fixture;

const E w = variable("w", Scalar::Index, VarKind::Worker);
const E T = variable("T", Scalar::Index, VarKind::Tunable);
const E n = variable("n", Scalar::Index, VarKind::Param);
const E m = variable("m", Scalar::Index, VarKind::Param);
const E i = variable("i");
const E j = variable("j");
const E start = variable("start");

/// With w < T.
std::string ofWorker(const E &e) {
  Facts facts;
  facts.below.emplace_back(w.var(), T.e);
  return ir::toString(simplify(e.e, facts));
}

std::string simple(const E &e) { return ir::toString(simplify(e.e)); }

TEST(SimplifyRanges, RoundsOfInterleavedWorkers) {
  EXPECT_EQ(ofWorker((maxE(n, w) - w + T - 1) / T), "(n + T - 1 - w) / T");
  EXPECT_EQ(ofWorker((maxE(w, n) - w + (T - 1)) / T), "(n + T - 1 - w) / T");
  EXPECT_EQ(simple((maxE(n, w) - w + T - 1) / T), "(max(n, w) - w + T - 1) / T")
      << "w may be above T";
  EXPECT_EQ(simple((n + T - 1 - (T - 1)) / T), "n / T");
}

TEST(SimplifyRanges, LengthsOfParts) {
  EXPECT_EQ(simple(maxE(minE(T + w * T, n), w * T) - w * T), "min(T, n - min(w * T, n))");
  EXPECT_EQ(simple(maxE(w * T, minE(n, w * T + T)) - w * T), "min(T, n - min(w * T, n))");
  EXPECT_EQ(simple(maxE(minE(T, n), w) - w), "max(min(T, n), w) - w");
  EXPECT_EQ(simple(maxE(n, w) - w), "max(n, w) - w");
  EXPECT_EQ(simple(maxE(n + w, w) - w), "n");
}

TEST(SimplifyRanges, QuotientsAndRemainders) {
  EXPECT_EQ(ofWorker((n * T + w) / T), "n");
  EXPECT_EQ(ofWorker((n * T + w) % T), "w");
  EXPECT_EQ(ofWorker((n * T + m) / T), "n + m / T");
  EXPECT_EQ(ofWorker((n * T + m) % T), "m % T");
  EXPECT_EQ(ofWorker(w / T), "0");
  EXPECT_EQ(ofWorker(w % T), "w");
  EXPECT_EQ(ofWorker(w * n % T), "w * n % T");
  EXPECT_EQ(simple((n * 8 + 3) / 8), "n");
  EXPECT_EQ(simple(n / m * m + n % m), "n");
  EXPECT_EQ(simple(n % m + m * (n / m)), "n");
  EXPECT_EQ(simple((start + n / m) * m + n % m), "start * m + n");
  EXPECT_EQ(simple((start + n / m / T) * (T * m) + n / m % T * m + n % m), "start * T * m + n")
      << "three dimensions counted in one row";
  EXPECT_EQ(simple((start + n / T) * m + n % m), "(start + n / T) * m + n % m");
}

TEST(SimplifyRanges, WhatMayBeDividedByZeroOrWrapsIsLeftAlone) {
  EXPECT_EQ(simple(n * m / m), "n * m / m") << "m may be 0";
  EXPECT_EQ(ofWorker((n * T - m) / T), "(n * T - m) / T") << "m is not known to be small";
  EXPECT_EQ(ofWorker((n - m) % T), "(n - m) % T");
  EXPECT_EQ(simple(E(ir::select((m > 0).e, (n / m).e, ir::intLiteral(0)))), "m > 0 ? n / m : 0");
  ir::ExprPtr most = ir::intLiteral(-1); // 2^64 - 1
  EXPECT_EQ(simple(n < E(most)), "n < " + ir::toString(most));
}

TEST(SimplifyRanges, OtherTypesWrapWhereTheyDo) {
  const E a = variable("a", Scalar::U32);
  const E b = variable("b", Scalar::U32);
  EXPECT_EQ(simple((a + b) - b), "a + b - b");
  EXPECT_EQ(simple((a * b) / b), "a * b / b");
  // In a sum of 64 bits they are numbers like others.
  EXPECT_EQ(simple(a + n - a), "n");
  EXPECT_EQ(simple((n + a + b) - n), "(index)a + b") << "not a + b in 32 bits";
  EXPECT_EQ(simple(maxE(minE(a + n * a, m), n * a) - n * a), "min((index)a, m - min(n * a, m))");
}

/// CGO'17, listing 21 (notes/stencils-and-views.md 1.7, a): 24 operations for a column.
TEST(SimplifyRanges, TheColumnOfAPaddedNeighbourhood) {
  const E e = i * 2 + i * n + j;
  const E width = E(2) + n;
  const E height = E(2) + m;
  Facts facts;
  facts.below.emplace_back(j.var(), width.e);
  facts.below.emplace_back(i.var(), height.e);
  const E column = e / width + e % width * 2 + e % width * m;
  EXPECT_EQ(ir::toString(simplify((e / width).e, facts)), "i");
  EXPECT_EQ(ir::toString(simplify((e % width).e, facts)), "j");
  EXPECT_EQ(ir::toString(simplify((column / height).e, facts)), "j");
}

/// CGO'17, figure 6 (b): a transposed index, 0 <= l < M.
TEST(SimplifyRanges, TheIndexOfATransposedMatrix) {
  const E l = variable("l");
  const E M = variable("M");
  const E N = variable("N");
  const E g = variable("g");
  Facts facts;
  facts.below.emplace_back(l.var(), M.e);
  const E q = g * M + l;
  const E p = q / M + q % M * N;
  EXPECT_EQ(ir::toString(simplify((p / N * N + p % N).e, facts)), "g + l * N");
  EXPECT_EQ(ir::toString(simplify((q % M).e, facts)), "l");
}

TEST(SimplifyRanges, ConstantsAreWhatTheyWereDefinedAs) {
  const StmtPtr s = ir::block(
      {ir::parallel(1, ir::Span::Turns, w.var(), T.e,
                    ir::block({let(start, w * m), let(i, maxE(minE(m + w * m, n), start) - start),
                               let(j, start / m)}))});
  EXPECT_EQ(ir::toString(simplify(s)), "parallel level 1 w < T {\n"
                                       "  index start = w * m;\n"
                                       "  index i = min(m, n - min(start, n));\n"
                                       "  index j = start / m;\n"
                                       "}\n");
}

TEST(SimplifyRanges, WhatChangesIsNotADefinition) {
  const StmtPtr s = ir::block({let(start, w), set(start, n), let(i, maxE(start, w) - w)});
  EXPECT_EQ(ir::toString(simplify(s)), "index start = w;\n"
                                       "start = n;\n"
                                       "index i = max(start, w) - w;\n");
}

TEST(SimplifyRanges, ALoopKnowsItsEndAndABranchItsCondition) {
  const StmtPtr s = ir::block({upTo(i, n, {let(j, minE(i, n))}), let(j, minE(i, n)),
                               when(m <= n, {let(start, maxE(n, m) - m)}, {let(start, minE(n, m))}),
                               let(start, minE(n, m))});
  EXPECT_EQ(ir::toString(simplify(s)), "for (index i = 0; i < n; i += 1) {\n"
                                       "  index j = i;\n"
                                       "}\n"
                                       "index j = min(i, n);\n"
                                       "if (m <= n) {\n"
                                       "  index start = n - m;\n"
                                       "}\n"
                                       "else {\n"
                                       "  index start = n;\n"
                                       "}\n"
                                       "index start = min(n, m);\n");
}

/// Random index expressions over w < T, sizes n and m, start = w * m and what is made of them.
class RandomExpressions {
public:
  explicit RandomExpressions(unsigned seed) : random(seed) {}

  E next(int depth) {
    const int what = pick(depth == 0 ? 5 : 13);
    switch (what) {
    case 0:
      return w;
    case 1:
      return T;
    case 2:
      return n;
    case 3:
      return m;
    case 4:
      return pick(2) == 0 ? start : E(pick(4));
    default:
      break;
    }
    const E a = next(depth - 1);
    const E b = next(depth - 1);
    switch (what) {
    case 5:
    case 6:
      return a + b;
    case 7:
      return a - b;
    case 8:
      return a * b;
    case 9:
      return a / b;
    case 10:
      return a % b;
    case 11:
      return maxE(a, b) - (pick(2) == 0 ? a : b);
    default:
      return pick(2) == 0 ? minE(a, b) : maxE(a, b);
    }
  }

  int pick(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

private:
  std::mt19937 random;
};

std::size_t length(const ExprPtr &e) {
  std::size_t nodes = 0;
  ir::forEach(e, [&](const ir::Expr &) { ++nodes; });
  return nodes;
}

TEST(SimplifyRanges, KeepsTheValueOfRandomExpressionsAndNeverGrowsThem) {
  RandomExpressions expressions(7);
  int compared = 0;
  int shorter = 0;
  for (int round = 0; round < 4000; ++round) {
    const E e = expressions.next(4);
    const StmtPtr program = ir::block({ir::parallel(1, ir::Span::Turns, w.var(), T.e,
                                                    ir::block({let(start, w * m), let(i, e)}))});
    const StmtPtr after = simplify(program);
    const ExprPtr simpler = after->children[0]->children[0]->children[1]->value;
    EXPECT_LE(length(simpler), length(e.e)) << ir::toString(e.e);
    shorter += length(simpler) < length(e.e) ? 1 : 0;
    for (int point = 0; point < 12; ++point) {
      const int count = 1 + expressions.pick(6);
      const int worker = expressions.pick(count);
      const int size = expressions.pick(20);
      Interpreter value;
      value.set(T, count);
      value.set(w, worker);
      value.set(n, expressions.pick(20));
      value.set(m, size);
      value.set(start, worker * size);
      const std::int64_t expected = value(e.e);
      if (value.wrong)
        continue;
      ++compared;
      EXPECT_EQ(value(simpler), expected)
          << ir::toString(e.e) << " became " << ir::toString(simpler);
      EXPECT_FALSE(value.wrong) << ir::toString(e.e) << " became " << ir::toString(simpler);
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(shorter, 1000);
}

/// The same in 64 bits with sizes near 2^64: what the machine computes, wrapping where it wraps.
TEST(SimplifyRanges, PartsOfHugeContainersKeepTheirLength) {
  using U = std::uint64_t;
  for (U size : {U{0}, U{1}, U{1000}, U{1} << 63, ~U{0} - 5, ~U{0}}) {
    for (U count : {U{1}, U{3}, U{64}, U{1} << 40}) {
      const U tile = size / count + (size % count != 0 ? 1 : 0);
      for (U worker : {U{0}, count / 2, count - 1}) {
        __int128 first = static_cast<__int128>(tile) * worker;
        __int128 end = std::min<__int128>(first + tile, size);
        const U length = end > first ? static_cast<U>(end - first) : 0;
        const U begin = static_cast<U>(first);
        if (first <= static_cast<__int128>(~U{0})) {
          EXPECT_EQ(std::min(tile, size - std::min(begin, size)), length);
        }
      }
    }
  }
}

} // namespace
} // namespace tangram::algebra
