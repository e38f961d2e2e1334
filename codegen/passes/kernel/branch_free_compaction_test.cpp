#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class CompactWithoutBranches : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E at = variable("at");

  StmtPtr appending(const E &wanted, const E &target, const E &value) const {
    return upTo(i, n, {when(wanted, {set(target, value), addTo(at, 1)})});
  }

  LoweredPlan whole(const StmtPtr &loop) const { return plan({let(at, 3), loop, set(out[0], at)}); }

  static std::vector<std::int64_t> outOf(const LoweredPlan &plan, const Kernel4 &kernel, int n) {
    Interpreter machine;
    machine.set(kernel.p, 1);
    machine.set(kernel.N, 1);
    machine.set(kernel.K, 1);
    machine.set(kernel.n, n);
    auto &in = machine.memory[kernel.in.var().get()];
    for (int k = 0; k < 2000; ++k)
      in.push_back((k * 37 + k / 5) % 11);
    auto &out = machine.memory[kernel.out.var().get()];
    out.assign(2000, -1);
    machine.run(plan.body);
    EXPECT_FALSE(machine.wrong) << ir::toString(plan.body);
    return out;
  }

  void expectSame(const StmtPtr &loop) const {
    const LoweredPlan before = whole(loop);
    const LoweredPlan after = compactWithoutBranches(before);
    ASSERT_NE(groupText(after), groupText(before));
    for (int size : {0, 1, 2, 7, 511, 512, 513, 1024, 1500})
      EXPECT_EQ(outOf(after, *this, size), outOf(before, *this, size)) << size;
  }

  void expectLeftAlone(const StmtPtr &loop) const {
    EXPECT_EQ(groupText(compactWithoutBranches(whole(loop))), groupText(whole(loop)));
  }
};

TEST_F(CompactWithoutBranches, WhatIsWantedIsCopied) {
  const StmtPtr loop = appending(in[i] > 4, out[at], in[i]);
  EXPECT_EQ(groupText(compactWithoutBranches(whole(loop))), R"(
index at = 3;
for (index first = 0; first < n; first += 512) {
  int found[512];
  index number = 0;
  for (index i = 0; i < min(512, n - first); i += 1) {
    found[number] = in[first + i];
    number += in[first + i] > 4 ? 1 : 0;
  }
  index copied = number;
  for (index k = 0; k < copied; k += 1) {
    out[at + k] = found[k];
  }
  at += copied;
}
out[0] = at;
)");
  expectSame(loop);
}

TEST_F(CompactWithoutBranches, AsLongAsThereIsRoom) {
  const E both = ir::binary("&&", (in[i] > 4).e, (at < 90).e);
  expectSame(appending(both, out[at], in[i]));
  const E none = ir::binary("&&", (in[i] > 4).e, (at < 2).e);
  expectSame(appending(none, out[at], in[i]));
}

TEST_F(CompactWithoutBranches, BehindSomethingElse) {
  expectSame(appending(in[i] > 4, out[p + at], i));
}

TEST_F(CompactWithoutBranches, NotWhatMayNotBeAskedForAllElements) {
  expectLeftAlone(appending(in[i] > 4, out[at], a[i]));
  expectLeftAlone(appending(in[i] > 4, out[at], n / in[i]));
}

TEST_F(CompactWithoutBranches, NotWhereALaterRoundSeesIt) {
  expectLeftAlone(appending(out[i] > 4, out[at], in[i]));
  expectLeftAlone(appending(in[i] > at, out[at], in[i]));
  expectLeftAlone(appending(in[i] > 4, out[at], at));
  expectLeftAlone(appending(in[i] > 4, out[i + at], in[i]));
  expectLeftAlone(appending(in[i] > 4, out[at * 2], in[i]));
}

TEST_F(CompactWithoutBranches, NotWhereMoreHappens) {
  expectLeftAlone(upTo(i, n, {when(in[i] > 4, {set(out[at], in[i]), addTo(at, 2)})}));
  expectLeftAlone(
      upTo(i, n, {when(in[i] > 4, {set(out[at], in[i]), addTo(at, 1)}, {set(out[0], 1)})}));
  expectLeftAlone(
      upTo(i, n, {set(out[i], 1), when(in[i] > 4, {set(out[at], in[i]), addTo(at, 1)})}));
}

} // namespace
} // namespace tangram::codegen
