#include "codegen/passes/kernel/index_set_splitting.h"

#include "algebra/simplify.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

class SplitIndexSets : public ::testing::Test, protected Kernel4 {
protected:
  E j = variable("j");
  E i = variable("i");
  E k = variable("k");

  static E choose(const E &condition, const E &a, const E &b) {
    return {ir::select(condition.e, a.e, b.e)};
  }
  static E both(const E &a, const E &b) { return {ir::binary("&&", a.e, b.e)}; }

  static std::vector<std::int64_t> outOf(const LoweredPlan &plan, const Kernel4 &kernel, int n,
                                         int lanes) {
    Interpreter machine;
    machine.set(kernel.p, 1);
    machine.set(kernel.N, lanes);
    machine.set(kernel.K, 2);
    machine.set(kernel.n, n);
    auto &in = machine.memory[kernel.in.var().get()];
    for (int at = 0; at < 100; ++at)
      in.push_back(at * at + 3);
    auto &out = machine.memory[kernel.out.var().get()];
    out.assign(64, -1);
    machine.run(plan.body);
    EXPECT_FALSE(machine.wrong) << ir::toString(plan.body);
    return out;
  }

  void expectSplit(const StmtPtr &loop) const {
    const LoweredPlan before = plan({loop});
    const LoweredPlan after = splitIndexSets(before);
    ASSERT_NE(groupText(after), groupText(before));
    for (int n = 0; n < 12; ++n) {
      for (int lanes = 1; lanes < 5; ++lanes)
        EXPECT_EQ(outOf(after, *this, n, lanes), outOf(before, *this, n, lanes))
            << n << " elements, " << lanes << " lanes" << groupText(after);
    }
  }

  void expectLeftAlone(const StmtPtr &loop) const {
    const LoweredPlan before = plan({loop});
    EXPECT_EQ(groupText(splitIndexSets(before)), groupText(before));
  }
};

TEST_F(SplitIndexSets, WhatMayHaveWrappedAroundIsNotInside) {
  EXPECT_EQ(
      groupText(splitIndexSets(plan({upTo(j, n, {set(out[j], in[minE(j * 2 - 1, n - 1)])})}))),
      R"(
index inside = min(1, n);
index outside = max(inside, min((n + 2) / 2, n));
for (index j = 0; j < inside; j += 1) {
  out[j] = in[min(j * 2 - 1, n - 1)];
}
for (index j = inside; j < outside; j += 1) {
  out[j] = in[j * 2 - 1];
}
for (index j = outside; j < n; j += 1) {
  out[j] = in[min(j * 2 - 1, n - 1)];
}
)");
  expectLeftAlone(upTo(j, n, {set(out[j], in[maxE(j, p - 1)])})); // a large number where p is 0
  expectLeftAlone(upTo(j, n, {set(out[j], in[minE(j + wrappingVariable("wraps"), n - 1)])}));
}

TEST_F(SplitIndexSets, ClampedSubscripts) {
  const StmtPtr loop =
      upTo(j, n, {set(out[j], in[minE(maxE(j, 1) - 1, n - 1)] + in[minE(j + 1, n - 1)])});
  EXPECT_EQ(groupText(splitIndexSets(plan({loop}))), R"(
index inside = min(1, n);
index outside = max(inside, min(max(n, 1) - 1, n));
for (index j = 0; j < inside; j += 1) {
  out[j] = in[min(max(j, 1) - 1, n - 1)] + in[min(j + 1, n - 1)];
}
for (index j = inside; j < outside; j += 1) {
  out[j] = in[j - 1] + in[j + 1];
}
for (index j = outside; j < n; j += 1) {
  out[j] = in[min(max(j, 1) - 1, n - 1)] + in[min(j + 1, n - 1)];
}
)");
  expectSplit(loop);
}

TEST_F(SplitIndexSets, ConstantsBeyond) {
  expectSplit(upTo(j, n,
                   {set(out[j], choose(both(E(2) <= j, j < n), in[j - 2], 7) +
                                    choose(j + 1 < n, in[j + 1], 9))}));
  expectSplit(upTo(j, n, {set(out[j], choose(j > 1, in[j - 1], in[j + 3]))}));
  expectSplit(upTo(j, n, {set(out[j], choose(n <= j + 2, in[0], in[j + 2]))}));
}

TEST_F(SplitIndexSets, PlacesThatARoundNames) {
  const E at = variable("at");
  const auto loop = [&](const StmtPtr &change) {
    return upTo(
        j, n,
        {let(at, j + 3), change, set(out[j], choose(both(E(5) <= at, at < n + 1), in[at - 5], 7))});
  };
  expectSplit(loop(ir::block({})));
  expectLeftAlone(loop(addTo(at, 1)));
}

TEST_F(SplitIndexSets, NamesOfWhatChangesSayNothing) {
  // at - i is no longer j + 3 once i has changed.
  const E at = variable("at");
  expectLeftAlone(upTo(j, n,
                       {let(at, i + j + 3), addTo(i, 1),
                        set(out[j], choose(at - i < n, in[minE(at - i, n - 1)], 7))}));
  expectLeftAlone(upTo(j, n, {let(at, in[j]), set(out[j], choose(at < n, in[at], 7))}));
}

TEST_F(SplitIndexSets, NamesMayHaveWrappedAround) {
  const E at = variable("at"); // which does not say so itself
  const std::string text = groupText(
      splitIndexSets(plan({upTo(j, n, {let(at, j - 5), set(out[j], choose(at < n, in[at], 7))})})));
  EXPECT_NE(text.find("index inside = min(5, n);"), std::string::npos) << text;
}

TEST_F(SplitIndexSets, LoopsThatEndBeforeTheSize) {
  expectSplit(ir::forLoop(let(j, 0), (j + 2 < n).e, addTo(j, 1),
                          ir::block({set(out[j], in[minE(j + 3, n - 1)])})));
}

TEST_F(SplitIndexSets, ShortLoopsInsideGoWithIt) {
  expectSplit(upTo(
      j, n,
      {let(i, 0), upTo(k, 3, {addTo(i, in[minE(maxE(j + k, 1) - 1, n - 1)])}), set(out[j], i)}));
}

TEST_F(SplitIndexSets, LanesInsideGoWithIt) {
  expectSplit(upTo(j, n, {lanes({set(out[j * N + lane], in[minE(j * N + lane + 1, n * 2)])})}));
  expectSplit(upTo(
      j, n,
      {lanes({set(out[j * N + lane], choose(E(3) <= j * N + lane, in[j * N + lane - 3], 5))})}));
}

TEST_F(SplitIndexSets, WhatNobodyKnowsBeforeTheLoopIsLeftAlone) {
  // A limit that changes, one that is read, a subscript that goes down, one of two counters.
  expectLeftAlone(upTo(j, n, {let(i, in[j]), set(out[j], in[minE(j + 1, i)])}));
  expectLeftAlone(upTo(j, n, {set(out[j], in[minE(j + 1, in[0])])}));
  expectLeftAlone(upTo(j, n, {set(out[j], in[minE(n - j, 5)])}));
  expectLeftAlone(upTo(j, n, {set(out[j], in[minE(j * j, 5)])}));
  // Nothing is accessed by it.
  expectLeftAlone(upTo(j, n, {set(out[j], minE(j + 1, n))}));
  // So many rounds as the source says.
  expectLeftAlone(upTo(j, 4, {set(out[j], in[minE(j + 1, n)])}));
}

} // namespace
} // namespace tangram::codegen
