#include "codegen/analysis/copies.h"
#include "codegen/passes/array/passes.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// `work` pads, tiles go to groups, and what is done with one of them is `inside`.
ir::Program lines(const std::string &inside, const std::string &boundary = "clamp",
                  const std::string &lengths = "pow2(32, 1024)") {
  return parse(
      "__codelet void inside(const Array<1, int> in, Array<1, int> out) {\n"
      "  require(in.size() == out.size() + 2);\n"
      "  for (unsigned i = 0; i < out.size(); ++i) out[i] = in[i] + in[i + 2];\n}\n"
      "__codelet __tag(tiles) void inside(const Array<1, int> in, Array<1, int> out) {\n"
      "  __tunable unsigned t = " +
      lengths +
      ";\n"
      "  map(inside, chunks(in, t, 2), chunks(out, t));\n}\n"
      "__codelet __coop __tag(lanes) void inside(const Array<1, int> in, Array<1, int> out) {\n" +
      inside +
      "}\n"
      "__codelet void work(const Array<1, int> in, Array<1, int> out) {\n"
      "  require(out.size() == in.size());\n"
      "  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];\n}\n"
      "__codelet __tag(padded) void work(const Array<1, int> in, Array<1, int> out) {\n"
      "  inside(pad(in, 1, 1, " +
      boundary + "), out);\n}\n");
}

const std::string near = "for (unsigned i = coopIdx(); i < out.size(); i += coopDim())\n"
                         "  out[i] = in[i] + in[i + 2];\n";

LoweredPlan lowered(const ir::Program &source, const std::string &machineName = "simple-gpu",
                    const std::string &target = "opencl") {
  static std::vector<std::unique_ptr<composer::Machine>> machines;
  machines.push_back(std::make_unique<composer::Machine>(projected(machineName, target)));
  const ir::PlanPtr plan = fixture::compound(
      0, "work", 1,
      {fixture::compound(0, "inside", 1,
                         {mapped(0, "inside", distribute, compute(1, "inside", 2))})});
  auto made = lower(source, "work", plan, *machines.back(), target);
  if (const auto *refusal = std::get_if<Refusal>(&made)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return std::get<LoweredPlan>(made);
}

/// What groups do, from the copy on.
std::string staged(const LoweredPlan &plan) {
  const std::string text = ir::toString(stageHalos(plan).body);
  const std::size_t begin = text.find("allocate");
  return begin == std::string::npos ? "" : text.substr(begin);
}

TEST(StageHalos, ItemsCopyATileWithItsHaloTogether) {
  const std::string text = staged(lowered(lines(near)));
  EXPECT_TRUE(text.starts_with("allocate level 1 in_tile[TILES_T + 2];")) << text;
  EXPECT_NE(text.find("copy level 1 in_tile[place] = in_padded[in_start + place], "
                      "place < in_len (<= TILES_T + 2);"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("= in_tile[i] + in_tile[i + 2];"), std::string::npos) << text;
}

TEST(StageHalos, NotWhatEachItemReadsForItself) {
  EXPECT_EQ(staged(lowered(lines("for (unsigned i = coopIdx(); i < out.size(); i += coopDim())\n"
                                 "  out[i] = in[i + 1];\n"))),
            "");
}

// What does not begin where a line does is in two lines of it.
TEST(StageHalos, NotWhatACacheOfTheGroupGivesAsFast) {
  const auto reading = [](const std::string &elements) {
    return lines("for (unsigned i = coopIdx(); i < out.size(); i += coopDim())\n  out[i] = " +
                 elements + ";\n");
  };
  const ir::Program few = reading("in[i] + in[i + 1] + in[i + 2]");
  const ir::Program many =
      reading("in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4] + in[i + 5]");
  EXPECT_EQ(staged(lowered(few, "h200")), "");
  EXPECT_NE(staged(lowered(few)), "") << "there is none";
  EXPECT_NE(staged(lowered(many, "h200")), "");
  const ir::Program same =
      reading("in[i] + in[i + 1] + in[i] + in[i + 1] + in[i] + in[i + 1] + in[i]");
  EXPECT_EQ(staged(lowered(same, "h200")), "") << "read once";
}

// simple-gpu has 49152 bytes, of tiles of t + 2 numbers of 4 bytes each.
TEST(StageHalos, NotWhatLocalMemoryHasNoRoomFor) {
  EXPECT_NE(staged(lowered(lines(near, "clamp", "choice(12286, 16384)"))), "");
  EXPECT_EQ(staged(lowered(lines(near, "clamp", "choice(16384, 12287)"))), "");
}

/// The same in two dimensions, tiles of 16 rows.
ir::Program matrices(const std::string &inside, const std::string &widths) {
  return parse(
      "__codelet void inside(const Array<2, float> in, Array<2, float> out) {\n"
      "  require(in.size(0) == out.size(0) + 2);\n"
      "  require(in.size(1) == out.size(1) + 2);\n"
      "  for (unsigned i = 0; i < out.size(0); ++i)\n"
      "    for (unsigned j = 0; j < out.size(1); ++j) out[i][j] = in[i][j] + in[i + 2][j + 2];\n}\n"
      "__codelet __tag(tiles) void inside(const Array<2, float> in, Array<2, float> out) {\n"
      "  __tunable unsigned u = " +
      widths +
      ";\n"
      "  map(inside, tile_chunks(in, 16, u, 2, 2), tile_chunks(out, 16, u));\n}\n"
      "__codelet __coop __tag(lanes) void inside(const Array<2, float> in, Array<2, float> out) "
      "{\n" +
      inside +
      "}\n"
      "__codelet void work(const Array<2, float> in, Array<2, float> out) {\n"
      "  require(out.size(0) == in.size(0));\n"
      "  require(out.size(1) == in.size(1));\n"
      "  for (unsigned i = 0; i < in.size(0); ++i)\n"
      "    for (unsigned j = 0; j < in.size(1); ++j) out[i][j] = in[i][j];\n}\n"
      "__codelet __tag(padded) void work(const Array<2, float> in, Array<2, float> out) {\n"
      "  inside(pad(pad(in, 1, 1, clamp), 1, 1, clamp, 1), out);\n}\n");
}

/// Extents of the tile of such a program.
std::string tileOf(const std::string &inside, const std::string &widths,
                   const std::string &machineName = "simple-gpu") {
  const std::string text = staged(lowered(matrices(inside, widths), machineName));
  const std::string before = "allocate level 1 in_tile";
  EXPECT_TRUE(text.starts_with(before)) << text;
  return text.substr(before.size(), text.find(";") - before.size());
}

const std::string inTurns =
    "for (unsigned e = coopIdx(); e < out.size(0) * out.size(1); e += coopDim()) {\n"
    "  unsigned i = e / out.size(1);\n"
    "  unsigned j = e % out.size(1);\n"
    "  out[i][j] = in[i][j] + in[i + 2][j + 2];\n}\n";

TEST(StageHalos, ItemsTakeElementsInTurns) {
  const LoweredPlan plan = stageHalos(lowered(lines(near)));
  const std::string text = ir::toString(withoutCopies(plan, plan.body));
  EXPECT_NE(text.find("parallel level 2 element < TILES_T + 2"), std::string::npos) << text;
  EXPECT_NE(text.find("in_tile[place] = in_padded[in_start + place];"), std::string::npos) << text;
}

TEST(StageHalos, RowsOfItemsSideBySideLieSoThatAWarpMeetsAllBanks) {
  EXPECT_EQ(tileOf(inTurns, "choice(32, 64)"), "[18][TILES_U + 2]");
  EXPECT_EQ(tileOf(inTurns, "choice(16, 32)"),
            "[18][TILES_U < 32 ? (TILES_U + 1 + TILES_U) / (TILES_U * 2) * (TILES_U * 2) + TILES_U "
            ": TILES_U + 2]");
  EXPECT_EQ(tileOf(inTurns, "choice(16, 32)", "pocl"), "[18][TILES_U + 2]") << "no banks";
}

TEST(StageHalos, RowsThatItemsReadBelowEachOtherLieAnOddNumberApart) {
  EXPECT_EQ(
      tileOf(
          "for (unsigned i = coopIdx(); i < out.size(0); i += coopDim())\n"
          "  for (unsigned j = 0; j < out.size(1); ++j) out[i][j] = in[i][j] + in[i + 2][j + 2];\n",
          "choice(32, 64)"),
      "[18][(TILES_U + 2) / 2 * 2 + 1]");
}

TEST(StageHalos, NotWhereAccessesAreNoNumberApart) {
  EXPECT_EQ(staged(lowered(lines("for (unsigned i = coopIdx(); i < out.size(); i += coopDim())\n"
                                 "  out[i] = in[i] + in[2 * i];\n"))),
            "");
}

/// All that is compared where elements are read or written by items of a group that is inside.
std::string comparisons(const LoweredPlan &plan) {
  std::string found;
  forEach(optimize(plan).body, [&](const ir::Stmt &s) {
    if (s.kind != ir::StmtKind::If || ir::toString(s.value) != "inside")
      return;
    forEachExpr(s.children[0], [&](const ir::Expr &e) {
      if (e.kind == ir::ExprKind::Select || (e.kind == ir::ExprKind::Call && e.callee != "f"))
        found += ir::toString(std::make_shared<ir::Expr>(e)) + "; ";
    });
  });
  return found;
}

class EveryBoundary : public ::testing::TestWithParam<const char *> {};

TEST_P(EveryBoundary, GroupsInsideCompareNothing) {
  const LoweredPlan plan = lowered(lines(near, GetParam()));
  const std::string text = ir::toString(optimize(plan).body);
  EXPECT_NE(text.find("bool inside = "), std::string::npos) << text;
  EXPECT_NE(text.find("in_tile["), std::string::npos) << text;
  EXPECT_EQ(comparisons(plan), "") << text;
}

INSTANTIATE_TEST_SUITE_P(StageHalos, EveryBoundary,
                         ::testing::Values("clamp", "mirror", "wrap", "constant(7)"));

TEST(ForgetPadding, NothingPaddedIsLeft) {
  for (const bool copied : {false, true}) {
    LoweredPlan plan = lowered(lines(near));
    EXPECT_FALSE(plan.padded.empty());
    plan = forgetPadding(copied ? stageHalos(plan) : plan);
    EXPECT_EQ(ir::toString(plan.body).find("in_padded"), std::string::npos);
    EXPECT_TRUE(plan.padded.empty());
  }
}

} // namespace
} // namespace tangram::codegen
