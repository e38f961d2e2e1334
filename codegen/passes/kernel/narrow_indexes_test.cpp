#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

#include <set>

namespace tangram::codegen {
namespace {

using namespace fixture;

class NarrowIndexes : public ::testing::Test, protected Kernel4 {
protected:
  E acc = variable("acc", Scalar::I32);
  E i = variable("i");

  /// What indexes are at most; "64 bits" where nothing is known.
  /// (p groups of N items; n elements)
  std::string most(std::vector<StmtPtr> body) const {
    body.push_back(upTo(variable("round"), 2, {set(out[lane / 4], 0)}));
    return most(plan({lanes(std::move(body))}));
  }
  /// In the order of the alphabet.
  static std::string most(const LoweredPlan &plan) {
    const LoweredPlan narrowed = narrowIndexes(plan);
    std::set<std::string> all;
    if (narrowed.mostIndex)
      greatestOf(narrowed.mostIndex, all);
    std::string text;
    for (const std::string &each : all)
      text += (text.empty() ? "" : ", ") + each;
    return text.empty() ? "64 bits" : text;
  }
  static void greatestOf(const ExprPtr &e, std::set<std::string> &all) {
    if (e->kind != ir::ExprKind::Call || e->callee != "max") {
      all.insert(ir::toString(e));
      return;
    }
    for (const ExprPtr &each : e->args)
      greatestOf(each, all);
  }
  StmtPtr loop(const E &start, const E &end, const E &step, std::vector<StmtPtr> body) const {
    return ir::forLoop(let(i, start), (i < end).e, addTo(i, step), ir::block(std::move(body)));
  }
};

TEST_F(NarrowIndexes, OnlyWhereItemsDivide) {
  EXPECT_EQ(most(plan({lanes({set(out[lane], in[lane])})})), "64 bits");
  EXPECT_EQ(most(plan({lanes({set(out[lane], in[p / 2])})})), "64 bits");
  const E half = variable("half");
  EXPECT_EQ(most(plan({lanes({let(half, lane + 1), set(out[half / 2], 1)})})), "64 bits") << "once";
  EXPECT_EQ(most(plan({lanes({let(half, lane + 1), upTo(i, n, {set(out[half / 2], 1)})})})),
            "N + 1, n + 1, p");
}

TEST_F(NarrowIndexes, OfBoundsThatAreLongNothingIsAsked) {
  std::vector<StmtPtr> body;
  for (int k = 2; k < 50; ++k)
    body.push_back(
        set(out[(n / k + n / (k + 1) + n / (k + 2) + p / k + p / (k + 1) + lane) % 7], 1));
  EXPECT_EQ(most(body), "64 bits");
  body.resize(2);
  EXPECT_NE(most(body), "64 bits");
}

TEST_F(NarrowIndexes, PositionsOfElements) {
  EXPECT_EQ(most({set(out[lane], in[lane])}), "N, n, p");
}

TEST_F(NarrowIndexes, ALoopGoesAStepBeyondItsEnd) {
  EXPECT_EQ(most({loop(lane, n, N, {addTo(acc, in[i])})}), "n + N, p");
}

TEST_F(NarrowIndexes, SumsAndProductsInSubscriptsMayWrap) {
  EXPECT_EQ(most({set(out[lane * n + n * n - n * n], 1)}), "N, n, p");
}

TEST_F(NarrowIndexes, WhatIsComparedMayNot) {
  EXPECT_EQ(most({ir::ifThen((lane * n < n).e, set(out[lane], 1))}), "N, N * n, p");
}

TEST_F(NarrowIndexes, NorWhatIsDividedBeBelowZero) {
  EXPECT_EQ(most({set(out[(lane - 1) / 2], 1)}), "64 bits");
  EXPECT_EQ(most({set(out[(lane + 1) / 2], 1)}), "N + 1, n, p");
  EXPECT_EQ(most({set(out[(N - lane) / 2], 1)}), "N, n, p") << "lanes are below N";
}

TEST_F(NarrowIndexes, WhatFollowsFromADifferenceThatIsNot) {
  const E rest = variable("rest");
  EXPECT_EQ(most({let(rest, N - lane), chains({set(out[(rest + K - 1 - chain) / 2], 1)})}),
            "N + K, n, p");
  EXPECT_EQ(most({let(rest, n - lane), chains({set(out[(rest + K - 1 - chain) / 2], 1)})}),
            "64 bits");
}

TEST_F(NarrowIndexes, NumbersThatGrowWithoutEnd) {
  const E next = variable("next");
  EXPECT_EQ(most({let(next, 0), loop(lane, n, N, {addTo(next, next)}),
                  ir::ifThen((next < n).e, set(out[lane], 1))}),
            "64 bits");
}

TEST_F(NarrowIndexes, NumbersThatAreConverted) {
  const E wide = variable("wide", Scalar::I64);
  EXPECT_EQ(most({let(wide, lane * n)}), "N, N * n, p");
  EXPECT_EQ(most({let(wide, lane - 1)}), "64 bits");
  EXPECT_EQ(most({let(wide, 0), ir::ifThen((wide < n).e, set(out[lane], 1))}), "64 bits")
      << "64 bits with a sign are compared otherwise with 32 than with 64 without";
}

TEST_F(NarrowIndexes, ElementsThatArePositions) {
  const E to = variable("to");
  const std::vector<StmtPtr> body{let(to, E{ir::cast(Scalar::Index, in[lane].e)}),
                                  ir::ifThen((to < n).e, set(out[to], 1))};
  EXPECT_EQ(most(body), "N, n, p") << "an int has 31 bits and a sign";
  const E place{ir::cast(Scalar::Index, in[lane].e)};
  const std::vector<StmtPtr> divided{upTo(i, 2, {set(out[place / 2], 1)})};
  EXPECT_EQ(most(divided), "64 bits");
  LoweredPlan within = plan({lanes(divided)});
  within.data.push_back({in.var(), "within", ir::intLiteral(0), n.e});
  EXPECT_EQ(most(within), "N, n, p");
}

} // namespace
} // namespace tangram::codegen
