#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class UnswitchLoops : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E j = variable("j");

  std::string hoisted(const StmtPtr &loop) const { return groupText(unswitchLoops(plan({loop}))); }
  void expectLeftAlone(const StmtPtr &loop) const {
    EXPECT_EQ(hoisted(loop), groupText(plan({loop})));
  }
};

TEST_F(UnswitchLoops, WhatARowDecidesIsDecidedBeforeIt) {
  EXPECT_EQ(hoisted(upTo(
                i, p, {upTo(j, n, {when(i < 1, {set(out[j], 0)}, {set(out[j], in[i * n + j])})})})),
            R"(
for (index i = 0; i < p; i += 1) {
  if (i < 1) {
    for (index j = 0; j < n; j += 1) {
      out[j] = 0;
    }
  }
  else {
    for (index j = 0; j < n; j += 1) {
      out[j] = in[i * n + j];
    }
  }
}
)");
}

TEST_F(UnswitchLoops, NoRoundsWhereThereIsNothingElse) {
  EXPECT_EQ(hoisted(upTo(j, n, {when(p < 1, {set(out[j], 0)})})), R"(
if (p < 1) {
  for (index j = 0; j < n; j += 1) {
    out[j] = 0;
  }
}
)");
}

TEST_F(UnswitchLoops, WhatRoundsChangeReadOrDoBesidesStays) {
  expectLeftAlone(upTo(j, n, {when(j < 1, {set(out[j], 0)})}));
  expectLeftAlone(upTo(j, n, {when(in[0] < 1, {set(out[j], 0)})}));
  expectLeftAlone(upTo(j, n, {let(i, j + 1), when(i < p, {set(out[j], 0)})}));
  expectLeftAlone(upTo(j, n, {when(p < 1, {set(out[j], 0)}), set(out[j], 1)}));
  expectLeftAlone(upTo(j, n, {when(p % n < 1, {set(out[j], 0)})}));
}

} // namespace
} // namespace tangram::codegen
