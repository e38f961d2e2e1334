// Strip-mining of sums over several loops: the items of a group go through the steps together.
#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// c[i][j] is the sum of `factor` over k and p. Groups have tiles of c, and items have tiles of these tiles.
LoweredPlan lowered(const std::string &factor) {
  static std::vector<std::unique_ptr<ir::Program>> programs;
  static const composer::Machine machine = projected("h200", "opencl");
  const std::string source = R"(
__codelet void mm(const Array<3, TYPE> a, const Array<3, TYPE> b, Array<2, TYPE> c) {
  require(c.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(b.size(2) == a.size(2));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      TYPE sum = 0;
      for (unsigned k = 0; k < a.size(1); ++k) {
        for (unsigned p = 0; p < a.size(2); ++p)
          sum += FACTOR;
      }
      c[i][j] = sum;
    }
  }
}
__codelet __tag(tile) void mm(const Array<3, TYPE> a, const Array<3, TYPE> b, Array<2, TYPE> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(mm, repeat(chunks(a, m), (c.size(1) + n - 1) / n),
      cycle(chunks(b, n), (c.size(0) + m - 1) / m), tile_chunks(c, m, n));
}
)";
  programs.push_back(std::make_unique<ir::Program>(
      parse("#define TYPE float\n#define FACTOR " + factor + source)));
  const ir::PlanPtr items =
      compound(1, "mm", 1, {mapped(1, "mm", distribute, compute(2, "mm", 0))});
  auto made = lower(*programs.back(), "mm",
                    compound(0, "mm", 1, {mapped(0, "mm", distribute, items)}), machine, "opencl");
  if (const auto *refusal = std::get_if<Refusal>(&made)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return interchangeLoops(std::get<LoweredPlan>(made));
}

bool has(const LoweredPlan &plan, const std::string &text) {
  return ir::toString(plan.body).find(text) != std::string::npos;
}

TEST(ReorderSums, TheGroupGoesThroughStepsOfOneLoopAndRoundsOfTheOther) {
  const LoweredPlan plan = reorderSums(lowered("a[i][k][p] * b[j][k][p]"));
  EXPECT_TRUE(has(plan,
                  "for (index part = 0; part < (a_size1 + SUM_STEP - 1) / SUM_STEP * a_size2; "
                  "part += 1)"))
      << ir::toString(plan.body);
  EXPECT_TRUE(has(plan, "index p = part % a_size2;"));
  EXPECT_TRUE(has(plan, "[sum_start...][p...]")) << ir::toString(plan.body);
  const LoweredPlan staged = stageWindows(plan);
  EXPECT_TRUE(has(staged, "a_tile[")) << ir::toString(staged.body);
  EXPECT_TRUE(has(staged, "b_tile["));
}

TEST(ReorderSums, StepsThroughTheInnermostLoopKeepTheOrderOfTerms) {
  const LoweredPlan plan = stripMineSums(lowered("a[i][k][p] * b[j][k][p]"));
  EXPECT_TRUE(has(plan,
                  "for (index part = 0; part < (a_size2 + SUM_STEP - 1) / SUM_STEP * a_size1; "
                  "part += 1)"))
      << ir::toString(plan.body);
}

TEST(ReorderSums, NotWhereATermDependsOnTheSumSoFar) {
  const LoweredPlan plan = lowered("a[i][k][p] * b[j][k][p] - 0.5f * sum");
  EXPECT_EQ(ir::toString(reorderSums(plan).body), ir::toString(stripMineSums(plan).body));
}

TEST(ReorderSums, NotWhereAnArrayHasNoWindowForAStep) {
  // A subscript of b is read from a, so that no window holds what a step reads of b.
  const LoweredPlan plan = lowered("a[i][k][p] * b[j][(unsigned)a[0][k][p] % 3][p]");
  EXPECT_EQ(ir::toString(reorderSums(plan).body), ir::toString(plan.body));
}

} // namespace
} // namespace tangram::codegen
