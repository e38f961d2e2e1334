#include "codegen/passes/kernel/index_set_splitting.h"

#include "codegen/test_fixture.h"

#include <cctype>

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

class SplitIndexSetsOfGroups : public ::testing::Test, protected Kernel4 {
protected:
  E j = variable("j");
  E x = variable("x");
  E first = variable("first");

  static E choose(const E &condition, const E &a, const E &b) {
    return {ir::select(condition.e, a.e, b.e)};
  }
  static E both(const E &a, const E &b) { return {ir::binary("&&", a.e, b.e)}; }
  /// Element number e - 1 of n, past whose ends there are others.
  E padded(const E &e) const { return choose(both(E(1) <= e, e < n + 1), in[e - 1], 7); }
  E clamped(const E &e) const { return in[minE(maxE(e, 1) - 1, n - 1)]; }

  static std::vector<std::int64_t> outOf(const LoweredPlan &plan, const Kernel4 &kernel, int n,
                                         int groups, int lanes) {
    Interpreter machine;
    machine.set(kernel.p, groups);
    machine.set(kernel.N, lanes);
    machine.set(kernel.K, 2);
    machine.set(kernel.n, n);
    auto &in = machine.memory[kernel.in.var().get()];
    for (int at = 0; at < n; ++at)
      in.push_back(at * at + 3);
    auto &out = machine.memory[kernel.out.var().get()];
    out.assign(256, -1);
    machine.run(plan.body);
    EXPECT_FALSE(machine.wrong) << ir::toString(plan.body);
    return out;
  }

  void expectSplit(const std::vector<StmtPtr> &body) const {
    const LoweredPlan before = plan(body);
    const LoweredPlan after = splitIndexSetsOfGroups(before);
    ASSERT_NE(groupText(after), groupText(before));
    for (int n = 1; n < 24; ++n) {
      for (int groups = 1; groups < 5; ++groups) {
        for (int lanes = 1; lanes < 4; ++lanes)
          EXPECT_EQ(outOf(after, *this, n, groups, lanes), outOf(before, *this, n, groups, lanes))
              << n << " elements, " << groups << " groups of " << lanes << groupText(after);
      }
    }
  }

  void expectLeftAlone(const std::vector<StmtPtr> &body) const {
    EXPECT_EQ(groupText(splitIndexSetsOfGroups(plan(body))), groupText(plan(body)));
  }

  /// What groups do that are inside.
  static std::string insideOf(const std::string &text) {
    const std::size_t begin = text.find("if (inside)");
    return text.substr(begin, text.find("else", begin) - begin);
  }
  static std::size_t comparisons(const std::string &text) {
    std::size_t found = 0;
    for (const char *each : {"<", ">", "min(", "max(", "?"}) {
      for (std::size_t at = text.find(each); at != std::string::npos; at = text.find(each, at + 1))
        ++found;
    }
    return found;
  }
};

TEST_F(SplitIndexSetsOfGroups, ElementsOfItems) {
  const std::vector<StmtPtr> body{
      lanes({let(x, group * N + lane), set(out[x], padded(x) + padded(x + 2))})};
  EXPECT_EQ(groupText(splitIndexSetsOfGroups(plan(body))), R"(
bool inside = 1 <= group * N && group * N + N + 1 < n + 1;
parallel level 2 lane < N {
  if (inside) {
    index x = group * N + lane;
    out[x] = (index)in[x - 1] + (index)in[x + 1];
  }
  else {
    index x = group * N + lane;
    out[x] = (1 <= x && x < n + 1 ? in[x - 1] : 7) + (1 <= x + 2 && x + 2 < n + 1 ? in[x + 2 - 1] : 7);
  }
}
)");
  expectSplit(body);
}

TEST_F(SplitIndexSetsOfGroups, NoComparisonIsLeftInside) {
  const std::vector<StmtPtr> body{
      let(first, group * N * 2),
      upTo(j, 2,
           {lanes({set(out[first + j * N + lane],
                       clamped(first + j * N + lane) + padded(first + j * N + lane + 1))})})};
  const std::string text = groupText(splitIndexSetsOfGroups(plan(body)));
  EXPECT_EQ(comparisons(insideOf(text)), 0U) << text;
  EXPECT_GT(comparisons(text.substr(text.find("else"))), 4U);
  expectSplit(body);
}

TEST_F(SplitIndexSetsOfGroups, RoundsOfLoopsGoWithIt) {
  expectSplit({lanes({upTo(
      j, 3, {set(out[(group * N + lane) * 3 + j], padded((group * N + lane) * 3 + j + 1))})})});
  expectSplit({lanes({ir::forLoop(let(j, 0), (j + 2 < 7).e, addTo(j, 1),
                                  ir::block({set(out[group * N * 5 + lane * 5 + j],
                                                 clamped(group * N * 5 + lane * 5 + j + 2))}))})});
}

TEST_F(SplitIndexSetsOfGroups, PlacesThatFollowFromDivisions) {
  const StmtPtr rows =
      ir::parallel(2, ir::Span::Turns, lane.var(), (N * 3).e,
                   ir::block({let(x, group * 3 + E(ir::binary("%", lane.e, ir::intLiteral(3)))),
                              set(out[group * N * 3 + lane], padded(x))}));
  expectSplit({rows});
}

// A number below 0 becomes a large index.
TEST_F(SplitIndexSetsOfGroups, LoopsThatBeginBelowZeroOrGoBackAreLeftAlone) {
  const E d = variable("d", Scalar::I32);
  const E at = group * N + lane + E(cast(Scalar::Index, d.e));
  const auto reads =
      set(out[group * N + lane], choose(E(ir::intLiteral(0, Scalar::I32)) <= d, padded(at), 7));
  const StmtPtr below = ir::forLoop(let(d, E(ir::intLiteral(-1, Scalar::I32))), (d < 3).e,
                                    addTo(d, 1), ir::block({reads}));
  expectLeftAlone({lanes({below})});
  const StmtPtr back =
      ir::forLoop(let(j, 2), (j < 3).e, ir::assign(j.e, "+=", ir::intLiteral(-1)),
                  ir::block({set(out[group * N + lane], padded(group * N + lane + j))}));
  expectLeftAlone({lanes({back})});
  const E u = variable("u", Scalar::U32);
  const StmtPtr wraps =
      ir::forLoop(let(u, E(ir::intLiteral(2, Scalar::U32))), (u < 3).e,
                  ir::assign(u.e, "+=", ir::intLiteral(4294967295, Scalar::U32)),
                  ir::block({set(out[group * N + lane],
                                 padded(group * N + lane + E(cast(Scalar::Index, u.e))))}));
  expectLeftAlone({lanes({wraps})});
}

TEST_F(SplitIndexSetsOfGroups, WhatWouldWrapAroundIsInsideOnlyWhereItDoesNot) {
  // x - 5 < n says of unsigned numbers that x is 5 at least, too.
  const std::vector<StmtPtr> body{
      lanes({let(x, group * N + lane), set(out[x], choose(x - 5 < n, in[x - 5], 7))})};
  const std::string text = groupText(splitIndexSetsOfGroups(plan(body)));
  EXPECT_NE(text.find("bool inside = group * N + N - 6 < n && 5 <= group * N;"), std::string::npos)
      << text;
}

TEST_F(SplitIndexSetsOfGroups, NothingIsDividedByWhatMayBeZero) {
  const E divided{ir::binary("/", (lane * 3).e, (n - 1).e)};
  const std::vector<StmtPtr> body{lanes(
      {ir::ifThen((E(1) < n).e, set(out[group * N + lane], padded(group * N + divided + 1)))})};
  const std::string text = groupText(splitIndexSetsOfGroups(plan(body)));
  EXPECT_NE(text.find("/ max(n - 1, 1)"), std::string::npos) << text;
  expectSplit(body); // n is 1, too
}

TEST_F(SplitIndexSetsOfGroups, VariablesOfItemsAreNotTheGroups) {
  const E own = variable("own");
  expectLeftAlone({let(own), lanes({set(own, in[lane])}),
                   lanes({set(out[group * N + lane], padded(group * N + own))})});
}

TEST_F(SplitIndexSetsOfGroups, WhatSaysNothingOfAGroupIsLeftAlone) {
  // The same for all groups; an element of the group's own memory; one element; a limit that is read.
  expectLeftAlone({lanes({set(out[lane], padded(lane))})});
  expectLeftAlone({lanes({set(out[lane], choose(group + lane < n, a[lane], 0))})});
  expectLeftAlone({firstLane({set(out[group], padded(group))})});
  expectLeftAlone({lanes({set(out[lane], choose(group + lane < in[0], in[lane], 0))})});
  // A number that goes on changing.
  expectLeftAlone(
      {let(x, group), upTo(j, 2, {lanes({set(out[lane], padded(x + lane))}), addTo(x, n)})});
}

} // namespace
} // namespace tangram::codegen
