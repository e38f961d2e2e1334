#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class MoveInvariantCode : public ::testing::Test, protected Kernel4 {
protected:
  E j = variable("j");
  E i = variable("i");

  static E choose(const E &condition, const E &a, const E &b) {
    return {ir::select(condition.e, a.e, b.e)};
  }

  void expectLeftAlone(const StmtPtr &loop) const {
    const LoweredPlan before = plan({loop});
    EXPECT_EQ(groupText(moveInvariantCode(before)), groupText(before));
  }
};

TEST_F(MoveInvariantCode, ARowIsComputedBeforeTheLoopOnce) {
  const E row = choose(p < 1, n - 1, p - 1);
  EXPECT_EQ(groupText(moveInvariantCode(
                plan({upTo(j, n, {set(out[j], in[row * n + j] + in[row * n + (j + 1)])})}))),
            R"(
index row = (p < 1 ? n - 1 : p - 1) * n;
for (index j = 0; j < n; j += 1) {
  out[j] = in[row + j] + in[row + (j + 1)];
}
)");
}

TEST_F(MoveInvariantCode, OnlyOutOfTheInnermostLoopWhereItStays) {
  const E row = minE(i + 1, n - 1);
  EXPECT_EQ(groupText(moveInvariantCode(
                plan({upTo(i, n, {upTo(j, n, {set(out[j], in[row * n + j])})})}))),
            R"(
for (index i = 0; i < n; i += 1) {
  index row = min(i + 1, n - 1) * n;
  for (index j = 0; j < n; j += 1) {
    out[j] = in[row + j];
  }
}
)");
}

TEST_F(MoveInvariantCode, OutOfALoopThatSumsOnlyChoicesMove) {
  E sum = variable("sum", Scalar::F32);
  EXPECT_EQ(groupText(moveInvariantCode(plan({upTo(
                i, n, {upTo(j, n, {set(sum, sum + in[(n + 7) / 8 * p + i - j])})})}))),
            R"(
for (index i = 0; i < n; i += 1) {
  index quotient = (n + 7) / 8;
  for (index j = 0; j < n; j += 1) {
    sum = sum + in[quotient * p + i - j];
  }
}
)");
}

TEST_F(MoveInvariantCode, WhatChangesIsReadOrMayDivideByNothingIsLeftAlone) {
  expectLeftAlone(upTo(j, n, {set(out[j], in[minE(j + 1, n - 1)])}));
  expectLeftAlone(upTo(j, n, {let(i, j * 2), set(out[j], in[minE(i, n - 1)])}));
  expectLeftAlone(upTo(j, n, {set(out[j], in[minE(in[0], n - 1)])}));
  expectLeftAlone(upTo(j, n, {set(out[j], in[p % n + j])}));
}

} // namespace
} // namespace tangram::codegen
