// Passes on windows: the order of loops, sizes of tiles, staging, register tiles.
#include "codegen/analysis/copies.h"
#include "codegen/analysis/windows.h"
#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

const char *const product = R"(
__codelet void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = START;
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[k][j];
      c[i][j] = END;
    }
  }
}
__codelet __tag(tile) void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(mm, repeat(chunks(a, m), (c.size(1) + n - 1) / n),
      cycle(col_chunks(b, n), (c.size(0) + m - 1) / m), tile_chunks(c, m, n));
}
__codelet __tag(step) void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned k;
  fold(mm, col_chunks(a, k), chunks(b, k), all(c));
}
)";

LoweredPlan lowered(const std::string &source, const std::string &spectrum, const ir::PlanPtr &plan,
                    const std::string &machineName, const std::string &target) {
  static std::vector<std::unique_ptr<ir::Program>> programs;
  static std::vector<std::unique_ptr<composer::Machine>> machines;
  programs.push_back(std::make_unique<ir::Program>(parse(source)));
  machines.push_back(std::make_unique<composer::Machine>(projected(machineName, target)));
  auto made = lower(*programs.back(), spectrum, plan, *machines.back(), target);
  if (const auto *refusal = std::get_if<Refusal>(&made)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return std::get<LoweredPlan>(made);
}

/// Tiles to groups, steps in depth, tiles of tiles to items, on a machine of three levels.
ir::PlanPtr planOfTiles() {
  const ir::PlanPtr items =
      compound(1, "mm", 1, {mapped(1, "mm", distribute, compute(2, "mm", 0))});
  return compound(
      0, "mm", 1,
      {mapped(0, "mm", distribute, compound(1, "mm", 2, {mapped(1, "mm", serialize, items)}))});
}

LoweredPlan lowered(const std::string &machineName, const std::string &target,
                    const std::string &start = "c[i][j]", const std::string &end = "accum") {
  return lowered("#define START " + start + "\n#define END " + end + "\n" + product, "mm",
                 planOfTiles(), machineName, target);
}

/// A product of a product, which has 32 columns.
LoweredPlan loweredOfATemporary(const std::string &machineName, const std::string &target) {
  return lowered(std::string("#define START c[i][j]\n#define END accum\n") + product + R"(
__codelet void twice(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(a.size(0) == c.size(0));
  require(a.size(1) == b.size(0));
  require(b.size(1) == c.size(1));
  Array<2, float> t(a.size(0), 32);
  mm(a, slice(b, 0, 32, 1), t);
  mm(t, slice(b, 0, 32), c);
}
)",
                 "twice", compound(0, "twice", 0, {planOfTiles(), planOfTiles()}), machineName,
                 target);
}

bool has(const LoweredPlan &plan, const std::string &text) {
  return ir::toString(plan.body).find(text) != std::string::npos;
}

std::string defaultOf(const LoweredPlan &plan, const std::string &name) {
  for (const Tunable &each : plan.tunables) {
    if (each.var->name == name)
      return each.defaultValue;
  }
  return "";
}

TEST(Windows, DifferenceTakesSummandsAway) {
  const E i = variable("i", ir::Scalar::Index);
  const E j = variable("j", ir::Scalar::Index);
  EXPECT_EQ(ir::toString(difference((i + j + 1).e, i.e)), "j + 1");
  EXPECT_EQ(ir::toString(difference(i.e, i.e)), "0");
  EXPECT_EQ(difference(i.e, j.e), nullptr);
}

TEST(InterchangeLoops, SumsAreAdvancedTogether) {
  const LoweredPlan plan = interchangeLoops(lowered("simple-gpu", "opencl"));
  EXPECT_FALSE(has(plan, "accum"));
  EXPECT_TRUE(has(plan, "+= a["));
}

TEST(InterchangeLoops, WhatTheyStartFromAndBecomeGetLoopsOfTheirOwn) {
  const LoweredPlan plan =
      interchangeLoops(lowered("simple-gpu", "opencl", "1.0f", "accum * 2.0f"));
  EXPECT_FALSE(has(plan, "accum"));
  EXPECT_TRUE(has(plan, "] = 1"));
  EXPECT_TRUE(has(plan, " * 2"));
}

TEST(InterchangeLoops, NotWhereTheOldElementIsAskedForInTheEnd) {
  const LoweredPlan plan =
      interchangeLoops(lowered("simple-gpu", "opencl", "0.0f", "c[i][j] - accum"));
  EXPECT_TRUE(has(plan, "accum +="));
}

/// Sums over what a body does, from 0: tiles to groups, tiles of tiles to items, and no codelet for steps in depth.
LoweredPlan loweredOfASum(const std::string &body, const std::string &machineName,
                          const std::string &target, const std::string &end = "accum") {
  const std::string source = R"(
__codelet void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = 0;
      for (unsigned k = 0; k < a.size(1); ++k) { BODY }
      c[i][j] = END;
    }
  }
}
__codelet __tag(tile) void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(mm, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(chunks(b, n), (c.size(0) + m - 1) / m),
      tile_chunks(c, m, n));
}
)";
  const ir::PlanPtr items =
      compound(1, "mm", 1, {mapped(1, "mm", distribute, compute(2, "mm", 0))});
  return lowered("#define BODY " + body + "\n#define END " + end + "\n" + source, "mm",
                 compound(0, "mm", 1, {mapped(0, "mm", distribute, items)}), machineName, target);
}

const char *const squares = "float by = a[i][k] - b[j][k]; accum += by * by;";

TEST(InterchangeLoops, BodiesMayNameAndAsk) {
  EXPECT_FALSE(has(interchangeLoops(loweredOfASum(squares, "simple-gpu", "opencl")), "accum"));
  const LoweredPlan asks = interchangeLoops(
      loweredOfASum("if (a[i][k] > accum) accum = b[j][k];", "simple-gpu", "opencl"));
  EXPECT_FALSE(has(asks, "accum"));
  EXPECT_TRUE(has(interchangeLoops(loweredOfASum("if (accum < 1) break; accum += a[i][k];",
                                                 "simple-gpu", "opencl")),
                  "accum +="));
}

/// Two sums over what a body does, each for an output of its own.
LoweredPlan loweredOfTwoSums(const std::string &body, const std::string &machineName,
                             const std::string &target, const std::string &end = "more") {
  const std::string source = R"(
__codelet void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c, Array<2, float> d) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  require(d.size(0) == a.size(0));
  require(d.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = 0;
      float more = 1;
      for (unsigned k = 0; k < a.size(1); ++k) { BODY }
      c[i][j] = accum;
      d[i][j] = END;
    }
  }
}
__codelet __tag(tile)
void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c, Array<2, float> d) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(mm, repeat(chunks(a, m), (c.size(1) + n - 1) / n), cycle(col_chunks(b, n), (c.size(0) + m - 1) / m),
      tile_chunks(c, m, n), tile_chunks(d, m, n));
}
)";
  const ir::PlanPtr items =
      compound(1, "mm", 1, {mapped(1, "mm", distribute, compute(2, "mm", 0))});
  return lowered("#define BODY " + body + "\n#define END " + end + "\n" + source, "mm",
                 compound(0, "mm", 1, {mapped(0, "mm", distribute, items)}), machineName, target);
}

const char *const twoSums = "accum += a[i][k] * b[k][j]; more += a[i][k] - b[k][j];";

TEST(InterchangeLoops, SeveralSumsAreAdvancedTogether) {
  const LoweredPlan plan = interchangeLoops(loweredOfTwoSums(twoSums, "simple-gpu", "opencl"));
  EXPECT_FALSE(has(plan, "accum"));
  EXPECT_FALSE(has(plan, "more"));
}

TEST(InterchangeLoops, NotWhereAnEndAsksForTwoSums) {
  const LoweredPlan plan =
      interchangeLoops(loweredOfTwoSums(twoSums, "simple-gpu", "opencl", "more * accum"));
  EXPECT_TRUE(has(plan, "accum +="));
}

TEST(InterchangeLoops, SeveralSumsStayThatAreNoVectorsWhereLanesAreLoops) {
  const std::string roots = "accum += sqrtf(a[i][k] * b[k][j]); more += b[k][j];";
  EXPECT_FALSE(has(interchangeLoops(loweredOfTwoSums(twoSums, "cpu", "openmp")), "accum"));
  EXPECT_TRUE(has(interchangeLoops(loweredOfTwoSums(roots, "cpu", "openmp")), "accum"));
  EXPECT_FALSE(has(interchangeLoops(loweredOfTwoSums(roots, "simple-gpu", "opencl")), "accum"));
}

TEST(RegisterTiles, OfTwoOutputsAreHeldTogether) {
  for (const auto &[machine, target] :
       {std::pair{"cpu", "openmp"}, std::pair{"simple-gpu", "opencl"}}) {
    const LoweredPlan plan = keepTilesInRegisters(
        stageWindows(stripMineSums(interchangeLoops(loweredOfTwoSums(twoSums, machine, target)))));
    EXPECT_TRUE(has(plan, "c_tile[")) << machine;
    EXPECT_TRUE(has(plan, "d_tile[")) << machine;
    EXPECT_TRUE(has(plan, "b_tile[")) << machine; // what the group shares
  }
}

TEST(StripMineSums, GroupsGoThroughThemTogether) {
  const LoweredPlan plan =
      stripMineSums(interchangeLoops(loweredOfASum(squares, "h200", "opencl")));
  EXPECT_TRUE(
      has(plan, "for (index part = 0; part < (a_size1 + SUM_STEP - 1) / SUM_STEP; part += 1)"));
  EXPECT_TRUE(has(plan, "a = a[a0_start...][sum_start...], a0_len along 0 (<= TILE_M) x "
                        "sum_len along 1 (<= SUM_STEP);"));
  EXPECT_TRUE(has(plan, "b = b[b0_start...][sum_start...], b0_len along 0 (<= TILE_N) x "
                        "sum_len along 1 (<= SUM_STEP);"));
  EXPECT_EQ(defaultOf(sizeTiles(plan), "SUM_STEP"), "16");
  const LoweredPlan staged = stageWindows(plan);
  EXPECT_FALSE(has(staged, "- b[")) << ir::toString(staged.body);
}

TEST(StripMineSums, NotWhereACodeletSaysSo) {
  const LoweredPlan plan = interchangeLoops(lowered("h200", "opencl"));
  EXPECT_EQ(ir::toString(stripMineSums(plan).body), ir::toString(plan.body));
}

TEST(StripMineSums, NotWhereTheLoopMayBeLeftOrItsConditionReadsTheSum) {
  const auto summed = [](const std::string &leaves, const std::string &condition = "") {
    const std::string source = R"(
__codelet void sum(const Array<2, float> a, const Array<1, int> last, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(last.size() == a.size(1));
  CONDITION for (unsigned k = 0; k < a.size(1); ++k) { LEAVES
    for (unsigned i = 0; i < c.size(0); ++i) {
      for (unsigned j = 0; j < c.size(1); ++j)
        c[i][j] += a[i][k];
    }
  }
}
__codelet __tag(tile) void sum(const Array<2, float> a, const Array<1, int> last, Array<2, float> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(sum, repeat(chunks(a, m), (c.size(1) + n - 1) / n), all(last), tile_chunks(c, m, n));
}
)";
    const ir::PlanPtr items =
        compound(1, "sum", 1, {mapped(1, "sum", distribute, compute(2, "sum", 0))});
    return stripMineSums(
        lowered("#define LEAVES " + leaves + "\n#define CONDITION " + condition + source, "sum",
                compound(0, "sum", 1, {mapped(0, "sum", distribute, items)}), "h200", "opencl"));
  };
  EXPECT_TRUE(has(summed(""), "SUM_STEP"));
  EXPECT_FALSE(has(summed("if (last[k] == 3) break;"), "SUM_STEP"));
  EXPECT_TRUE(has(summed("", "if (a.size(0) > 3)"), "SUM_STEP"));
  EXPECT_FALSE(has(summed("", "if (c[0][0] == 0)"), "SUM_STEP"));
}

TEST(StripMineSums, NotWhereNothingIsShared) {
  const LoweredPlan plan = interchangeLoops(loweredOfASum("accum += 2;", "h200", "opencl"));
  EXPECT_EQ(ir::toString(stripMineSums(plan).body), ir::toString(plan.body));
}

TEST(SizeTiles, AsTheModelsMemoryAllows) {
  const LoweredPlan gpu = sizeTiles(lowered("h200", "opencl"));
  EXPECT_EQ(defaultOf(gpu, "TILE_M_2") + " x " + defaultOf(gpu, "TILE_N_2"), "8 x 8");
  EXPECT_EQ(defaultOf(gpu, "TILE_M") + " x " + defaultOf(gpu, "TILE_N"), "128 x 128");
  EXPECT_EQ(defaultOf(gpu, "STEP_K"), "16");
  const LoweredPlan cpu = sizeTiles(lowered("cpu", "openmp"));
  EXPECT_EQ(defaultOf(cpu, "TILE_M_2") + " x " + defaultOf(cpu, "TILE_N_2"), "12 x 32");
  EXPECT_EQ(defaultOf(cpu, "TILE_M") + " x " + defaultOf(cpu, "TILE_N"), "132 x 256");
}

/// Tile of an item or a lane, and depth of a step, on a model that says nothing of memory.
std::string sizesWithoutMemory(const std::string &model, const std::string &target,
                               const composer::CodeLimits &code) {
  LoweredPlan plan = lowered(model, target);
  composer::Machine machine = *plan.machine;
  machine.code = code;
  for (composer::Level &level : machine.levels)
    level.memory.clear();
  plan.machine = &machine;
  plan = sizeTiles(std::move(plan));
  return defaultOf(plan, "TILE_M_2") + " x " + defaultOf(plan, "TILE_N_2") + ", " +
         defaultOf(plan, "STEP_K");
}

TEST(SizeTiles, WhatTheModelDoesNotTellCodeTakesForGranted) {
  composer::CodeLimits code;
  EXPECT_EQ(sizesWithoutMemory("h200", "opencl", code), "4 x 4, 32");
  EXPECT_EQ(sizesWithoutMemory("cpu", "openmp", code), "6 x 32, 256");
  code.localBytes = code.cacheBytes = 8192;
  EXPECT_EQ(sizesWithoutMemory("h200", "opencl", code), "4 x 4, 8");
  EXPECT_EQ(sizesWithoutMemory("cpu", "openmp", code), "6 x 32, 64");
  code.privateBytes = 1020;
  code.vectorRegisters = 32;
  EXPECT_EQ(sizesWithoutMemory("h200", "opencl", code).substr(0, 5), "8 x 8");
  EXPECT_EQ(sizesWithoutMemory("cpu", "openmp", code).substr(0, 7), "12 x 32");
}

TEST(SizeTiles, WhatIsOfAKnownSizeAtMostMayBeSmaller) {
  const LoweredPlan plan = sizeTiles(loweredOfATemporary("h200", "opencl"));
  EXPECT_EQ(defaultOf(plan, "TILE_M_3") + " x " + defaultOf(plan, "TILE_N_3"), "128 x 128");
}

const char *const turned = R"(
__codelet void copied(const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = VALUE;
  }
}
__codelet __tag(squares) void turn(const Array<2, float> in, Array<2, float> out) {
  require(in.size(0) == out.size(1));
  require(in.size(1) == out.size(0));
  __tunable unsigned t = choice(32, 64, 128, 256, 512);
  map(copied, tile_chunks(in, t, t), tile_chunks(transpose(out), t, t));
}
)";

std::string sizeOfSquares(const std::string &value) {
  const ir::PlanPtr tile = devolve(1, "copied", compute(2, "copied", 0));
  return defaultOf(
      sizeTiles(lowered("#define VALUE " + value + turned, "turn",
                        compound(0, "turn", 0, {mapped(0, "copied", distribute, tile)}), "cpu",
                        "openmp")),
      "SQUARES_T");
}

/// Tiles of T x U of threads, which no other tiles are in.
std::string sizeOfTiles(const std::string &domain, const std::string &machineName,
                        const std::string &target) {
  const std::string source = std::string("#define VALUE in[i][j] + 1\n") + turned + R"(
__codelet __tag(tile) void copied(const Array<2, float> in, Array<2, float> out) {
  __tunable unsigned t)" + domain +
                             R"(;
  __tunable unsigned u;
  map(copied, tile_chunks(in, t, u), tile_chunks(out, t, u));
}
)";
  const LoweredPlan plan = sizeTiles(lowered(
      source, "copied",
      compound(0, "copied", 1,
               {mapped(0, "copied", distribute, devolve(1, "copied", compute(2, "copied", 0)))}),
      machineName, target));
  return defaultOf(plan, "TILE_T") + " x " + defaultOf(plan, "TILE_U");
}

TEST(SizeTiles, TilesInNoOtherOneAreAsLargeAsRegisterTilesWhereLanesAreLoops) {
  EXPECT_EQ(sizeOfTiles("", "cpu", "openmp"), "12 x 32");
  EXPECT_EQ(sizeOfTiles(" = choice(64, 4)", "cpu", "openmp"), "64 x 32");
  EXPECT_EQ(sizeOfTiles("", "h200", "opencl"), "4 x 4");
}

/// Parts of T columns, whose sums are taken.
std::string sizeOfParts(const std::string &machineName, const std::string &target) {
  const std::string source = R"(
__codelet void sums(const Array<2, float> a, Array<1, float> out) {
  require(out.size() == a.size(1));
  for (unsigned j = 0; j < out.size(); ++j) {
    float s = 0;
    for (unsigned i = 0; i < a.size(0); ++i)
      s += a[i][j];
    out[j] = s;
  }
}
__codelet __tag(part) void sums(const Array<2, float> a, Array<1, float> out) {
  __tunable unsigned t;
  map(sums, col_chunks(a, t), chunks(out, t));
}
)";
  return defaultOf(sizeTiles(lowered(source, "sums",
                                     compound(0, "sums", 1,
                                              {mapped(0, "sums", distribute,
                                                      devolve(1, "sums", compute(2, "sums", 0)))}),
                                     machineName, target)),
                   "PART_T");
}

TEST(SizeTiles, PartsAlongRowsHaveSomeVectorsWhereLanesAreLoops) {
  EXPECT_EQ(sizeOfParts("cpu", "openmp"), "64");
}

TEST(SizeTiles, SquaresThatAreCopiedFitTheSecondCache) {
  EXPECT_EQ(sizeOfSquares("in[i][j]"), "256"); // 2 x 256 x 256 floats are half of 1 MiB
  EXPECT_EQ(sizeOfSquares("in[i][j] * 2"), "32");
}

/// With the loops that copies are.
LoweredPlan copied(const LoweredPlan &plan) {
  LoweredPlan staged = stageWindows(plan);
  staged.body = withoutCopies(staged, staged.body);
  return staged;
}

TEST(StageWindows, AThreadWhoseLanesAreLoopsCopiesWhatThereIs) {
  EXPECT_TRUE(has(copied(interchangeLoops(lowered("cpu", "openmp"))),
                  "for (index column = 0; column < b1_len; column += 1) {"));
}

TEST(StageWindows, ItemsOfAGroupCopyWhatTheyShare) {
  const LoweredPlan plan = copied(interchangeLoops(lowered("simple-gpu", "opencl")));
  // What rows are read along is contiguous, and padded where local memory has banks.
  EXPECT_TRUE(has(plan, "allocate level 1 a_tile[STEP_K][a_tile_pitch];"));
  EXPECT_TRUE(has(plan,
                  "index a_tile_pitch = (TILE_M - 1 + (STEP_K + 7) / STEP_K * 4) / ((STEP_K "
                  "+ 7) / STEP_K * 8) * ((STEP_K + 7) / STEP_K * 8) + (STEP_K + 7) / STEP_K * 4;"));
  // What neighbouring items read side by side lies by vectors, each of all items.
  EXPECT_TRUE(has(plan, "index b_tile_row = ((TILE_N_2 + 3) / 4 - 1) * b_tile_pitch + (TILE_N + "
                        "TILE_N_2 - 1) / TILE_N_2 * 4;"));
  EXPECT_TRUE(has(plan, "b_tile[row * b_tile_row + (column % TILE_N_2 / 4 * b_tile_pitch + "
                        "column / TILE_N_2 * 4 + column % TILE_N_2 % 4)]"));
  EXPECT_TRUE(has(plan, "parallel level 2 element < TILE_M * STEP_K"));
  EXPECT_FALSE(has(plan, "* b["));
}

TEST(StageWindows, ItemsCopyWhatTheyShareOfATemporaryOfTheHost) {
  const LoweredPlan plan = copied(interchangeLoops(loweredOfATemporary("simple-gpu", "opencl")));
  EXPECT_TRUE(has(plan, "a_tile[column][row] = row < a0_len ? t[a0_start + row][column] : 0;"));
}

TEST(StageWindows, TwoPartsOfOneArrayAreCopiedApart) {
  const auto squared = [](const std::string &machineName, const std::string &target) {
    return lowered("#define START c[i][j]\n#define END accum\n" + std::string(product) + R"(
__codelet void square(const Array<2, float> a, Array<2, float> c) {
  require(a.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(0));
  mm(a, a, c);
}
)",
                   "square", compound(0, "square", 0, {planOfTiles()}), machineName, target);
  };
  const LoweredPlan gpu = copied(interchangeLoops(squared("simple-gpu", "opencl")));
  EXPECT_TRUE(has(gpu, "+= a_tile[k][")) << ir::toString(gpu.body);
  EXPECT_TRUE(
      has(gpu, "row < b_len && column < b1_len ? a[a1_start + row][b1_start + column] : 0;"));
  EXPECT_FALSE(has(gpu, "* a["));
}

TEST(StageWindows, LanesThatAreLoopsPackWhatFillsThem) {
  const LoweredPlan plan = stageWindows(interchangeLoops(lowered("cpu", "openmp")));
  EXPECT_TRUE(has(plan, "b_tile"));
  EXPECT_FALSE(has(plan, "a_tile"));
}

TEST(StageWindows, NotWhatLiesAsItsCopyWhereLanesAreLoops) {
  const LoweredPlan plan = lowered(
      R"(
__codelet void weigh(const Array<2, float> in, const Array<2, float> weights, Array<2, float> out) {
  require(weights.size(0) == 3);
  require(weights.size(1) == 5);
  require(in.size(0) == out.size(0));
  require(in.size(1) == out.size(1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j) {
      float accum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        for (unsigned l = 0; l < 5; ++l)
          accum += weights[k][l] * in[i][j];
      }
      out[i][j] = accum;
    }
  }
}
__codelet __tag(parts) void weigh(const Array<2, float> in, const Array<2, float> weights, Array<2, float> out) {
  __tunable unsigned t;
  map(weigh, chunks(in, t), all(weights), chunks(out, t));
}
)",
      "weigh", compound(0, "weigh", 1, {mapped(0, "weigh", distribute, compute(1, "weigh", 0))}),
      "cpu", "openmp");
  EXPECT_TRUE(has(plan, "weights["));
  EXPECT_FALSE(has(stageWindows(plan), "weights_tile"));
}

TEST(RegisterTiles, StayFromBeforeTheLoopOfAGroupToAfterIt) {
  const LoweredPlan plan =
      keepTilesInRegisters(stageWindows(interchangeLoops(lowered("simple-gpu", "opencl"))));
  const std::string text = ir::toString(plan.body);
  const std::size_t loop = text.find("for (index part");
  EXPECT_LT(text.find("float c_tile[TILE_M_2 * TILE_N_2]"), loop);
  EXPECT_LT(text.find("c_tile[i * TILE_N_2 + j] = c["), loop);
  EXPECT_NE(text.find("c_tile[i * TILE_N_2 + j] += a_tile["), std::string::npos);
  EXPECT_GT(text.rfind("] = c_tile["), loop);
}

/// Sums of columns, of which there are 11, added to one after the other: each by one item of a group alone.
LoweredPlan loweredOfOneItem() {
  return lowered(
      R"(
__codelet int plus(int a, const Array<1, int> in) {
  for (unsigned i = 0; i < in.size(); ++i)
    a += in[i];
  return a;
}
__codelet void add_columns(const Array<2, int> in, Array<1, int> out) {
  require(out.size() == 11);
  require(in.size(1) == out.size());
  for (unsigned j = 0; j < out.size(); ++j) {
    for (unsigned i = 0; i < in.size(0); ++i)
      out[j] += in[i][j];
  }
}
__codelet __tag(each) void add_columns(const Array<2, int> in, Array<1, int> out) {
  out = map(plus, out, transpose(in));
}
)",
      "add_columns",
      devolve(0, "add_columns",
              compound(1, "add_columns", 1,
                       {mapped(1, "plus", serialize, devolve(1, "plus", compute(2, "plus", 0)))})),
      "simple-gpu", "opencl");
}

TEST(RegisterTiles, NotOfAGroupWhereOneItemChangesThem) {
  const LoweredPlan plan = loweredOfOneItem();
  EXPECT_TRUE(has(plan, "out[0...], 11"));
  EXPECT_EQ(ir::toString(keepTilesInRegisters(plan).body), ir::toString(plan.body));
}

TEST(RegisterTiles, LoopsOverThemAreVectorsWhereLanesAreLoops) {
  const LoweredPlan plan =
      keepTilesInRegisters(stageWindows(interchangeLoops(lowered("cpu", "openmp"))));
  unsigned vectors = 0;
  forEach(plan.body, [&](const ir::Stmt &s) { vectors += s.lanes == 16 ? 1 : 0; });
  EXPECT_EQ(vectors, 6U); // in, on, out, of whole tiles and of those with fewer rows
}

unsigned loopsOfVectors(const std::string &body, const std::string &end = "accum") {
  const LoweredPlan plan = keepTilesInRegisters(
      stageWindows(stripMineSums(interchangeLoops(loweredOfASum(body, "cpu", "openmp", end)))));
  unsigned vectors = 0;
  forEach(plan.body, [&](const ir::Stmt &s) { vectors += s.lanes == 16 ? 1 : 0; });
  return vectors;
}

TEST(RegisterTiles, VectorsNameAndChoose) {
  EXPECT_EQ(loopsOfVectors(squares), 6U);
  EXPECT_EQ(loopsOfVectors("if (a[i][k] - b[j][k] > accum) accum = a[i][k] - b[j][k];"), 6U);
  EXPECT_EQ(loopsOfVectors("accum = fmaxf(accum, fabsf(b[j][k]));"), 6U);
  EXPECT_EQ(loopsOfVectors("accum += a[i][k] * b[j][k];", "sqrtf(accum)"), 6U);
  EXPECT_EQ(loopsOfVectors("accum += sqrtf(a[i][k] * b[j][k]);"), 0U);
}

/// How often loops over tiles of 12 x 32 elements are unrolled: columns are, if at all, one after the other in rows.
unsigned unrolledInUnrolled(const LoweredPlan &plan) {
  unsigned found = 0;
  forEach(plan.body, [&](const ir::Stmt &s) {
    if (s.kind != ir::StmtKind::For || s.unroll == 0)
      return;
    forEach(s.children[2], [&](const ir::Stmt &inner) {
      found += inner.kind == ir::StmtKind::For && inner.unroll > 0 && inner.lanes == 0 ? 1 : 0;
    });
  });
  return found;
}

TEST(RegisterTiles, RowsThatAreNoVectorsOfOursAreLeftToCompilers) {
  const std::string roots = "accum += sqrtf(a[i][k] * b[j][k]);";
  const auto tiled = [&](const char *machine, const char *target) {
    return keepTilesInRegisters(
        stageWindows(stripMineSums(interchangeLoops(loweredOfASum(roots, machine, target)))));
  };
  const LoweredPlan vectors = tiled("cpu", "openmp");
  EXPECT_TRUE(has(vectors, "_tile["));
  EXPECT_EQ(unrolledInUnrolled(vectors), 0U);
  EXPECT_GT(unrolledInUnrolled(tiled("simple-gpu", "opencl")), 0U);
}

TEST(ForgetWindows, NoneIsLeft) {
  const LoweredPlan plan = forgetWindows(lowered("cpu", "openmp"));
  unsigned windows = 0;
  forEach(plan.body, [&](const ir::Stmt &s) { windows += s.kind == ir::StmtKind::Window ? 1 : 0; });
  EXPECT_EQ(windows, 0U);
}

} // namespace
} // namespace tangram::codegen
