// Passes on tiles that nested maps give the workers of one level, along one loop each.
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

const char *const product = R"(
__codelet void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float s = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
  }
}
__codelet __tag(tile_i) void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned t;
  map(mm, chunks(a, t), all(b), chunks(c, t));
}
__codelet __tag(tile_j) void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned t;
  map(mm, all(a), col_chunks(b, t), col_chunks(c, t));
}
__codelet __tag(step) void mm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned t;
  fold(mm, col_chunks(a, t), chunks(b, t), all(c));
}
)";

/// Products of a batch, along whose dimension nothing is used twice.
const char *const batch = R"(
__codelet void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(0));
  require(c.size(1) == a.size(1));
  require(b.size(1) == a.size(2));
  require(c.size(2) == b.size(2));
  for (unsigned n = 0; n < c.size(0); ++n)
    for (unsigned i = 0; i < c.size(1); ++i)
      for (unsigned j = 0; j < c.size(2); ++j) {
        float s = c[n][i][j];
        for (unsigned k = 0; k < a.size(2); ++k)
          s += a[n][i][k] * b[n][k][j];
        c[n][i][j] = s;
      }
}
__codelet __tag(tile_i) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned t;
  map(batch, chunks(a, t, 0, 1), all(b), chunks(c, t, 0, 1));
}
__codelet __tag(tile_j) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned t;
  map(batch, all(a), chunks(b, t, 0, 2), chunks(c, t, 0, 2));
}
__codelet __tag(step) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned t;
  fold(batch, chunks(a, t, 0, 2), chunks(b, t, 0, 1), all(c));
}
__codelet __tag(tile_n) void batch(const Array<3, float> a, const Array<3, float> b, Array<3, float> c) {
  __tunable unsigned t;
  map(batch, chunks(a, t), chunks(b, t), chunks(c, t));
}
)";

/// A layer of convolutions: a sum over three loops.
const char *const layer = R"(
__codelet void layer(const Array<3, float> in, const Array<4, float> w, Array<3, float> out) {
  require(w.size(0) == out.size(0));
  require(w.size(1) == in.size(0));
  require(w.size(2) == 3);
  require(w.size(3) == 3);
  require(in.size(1) == out.size(1) + 2);
  require(in.size(2) == out.size(2) + 2);
  for (unsigned o = 0; o < out.size(0); ++o)
    for (unsigned i = 0; i < out.size(1); ++i)
      for (unsigned j = 0; j < out.size(2); ++j) {
        float s = out[o][i][j];
        for (unsigned c = 0; c < in.size(0); ++c)
          for (unsigned y = 0; y < 3; ++y)
            for (unsigned x = 0; x < XS; ++x)
              s += in[c][i + y][j + x] * w[o][c][y][x];
        out[o][i][j] = s;
      }
}
__codelet __tag(tile_o) void layer(const Array<3, float> in, const Array<4, float> w, Array<3, float> out) {
  __tunable unsigned t;
  map(layer, all(in), chunks(w, t), chunks(out, t));
}
__codelet __tag(tile_j) void layer(const Array<3, float> in, const Array<4, float> w, Array<3, float> out) {
  __tunable unsigned t;
  map(layer, chunks(in, t, 2, 2), all(w), chunks(out, t, 0, 2));
}
__codelet __tag(step) void layer(const Array<3, float> in, const Array<4, float> w, Array<3, float> out) {
  __tunable unsigned t;
  fold(layer, chunks(in, t), chunks(w, t, 0, 1), all(out));
}
__codelet __tag(tile_i) void layer(const Array<3, float> in, const Array<4, float> w, Array<3, float> out) {
  __tunable unsigned t;
  map(layer, chunks(in, t, 2, 1), all(w), chunks(out, t, 0, 1));
}
)";

constexpr int loop = 0, outer = 1, inner = 2, step = 3, outermost = 4; ///< codelets of these

/// Tiles for the workers below `level`, counted together.
ir::PlanPtr tiles(const composer::Machine &machine, int level, const std::string &spectrum,
                  const std::vector<int> &codelets, ir::PlanPtr element) {
  const int flat = machine.flatOf(machine.levels[static_cast<std::size_t>(level)].subordinate);
  for (std::size_t i = codelets.size(); i-- > 0;) {
    const int from = i == 0 ? level : flat;
    element = compound(from, spectrum, codelets[i],
                       {mapped(from, spectrum, distribute, std::move(element))});
  }
  return element;
}

/// Tiles to groups, steps in depth, tiles of tiles to items.
LoweredPlan flattened(const std::string &source = product, const std::string &spectrum = "mm",
                      const std::vector<int> &groups = {outer, inner},
                      const std::string &model = "simple-gpu") {
  static std::vector<std::unique_ptr<ir::Program>> programs;
  static std::vector<std::unique_ptr<composer::Machine>> machines;
  programs.push_back(std::make_unique<ir::Program>(parse(source)));
  machines.push_back(
      std::make_unique<composer::Machine>(composer::withFlatLevels(projected(model, "opencl"))));
  const composer::Machine &machine = *machines.back();
  const ir::PlanPtr items = tiles(machine, 1, spectrum, {outer, inner}, compute(2, spectrum, loop));
  const ir::PlanPtr steps = compound(1, spectrum, step, {mapped(1, spectrum, serialize, items)});
  auto made = lower(*programs.back(), spectrum, tiles(machine, 0, spectrum, groups, steps), machine,
                    "opencl");
  if (const auto *refusal = std::get_if<Refusal>(&made)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return interchangeLoops(std::get<LoweredPlan>(std::move(made)));
}

/// Defaults of tunables.
std::vector<std::string> sizes(const LoweredPlan &plan, const std::vector<std::string> &names) {
  std::vector<std::string> found;
  for (const std::string &name : names) {
    for (const Tunable &each : plan.tunables) {
      if (each.var->name == name)
        found.push_back(each.defaultValue);
    }
  }
  return found;
}

using Sizes = std::vector<std::string>;

TEST(FlattenedTiles, AreAsLargeAsTilesOfOneMapInMoreDimensions) {
  EXPECT_EQ(sizes(sizeTiles(flattened(product, "mm", {outer, inner}, "h200")),
                  {"TILE_I_T", "TILE_J_T", "STEP_T", "TILE_I_T_2", "TILE_J_T_2"}),
            (Sizes{"128", "128", "16", "8", "8"}));
  EXPECT_EQ(sizes(sizeTiles(flattened(batch, "batch", {outermost, outer, inner}, "h200")),
                  {"TILE_N_T", "TILE_I_T", "TILE_J_T", "STEP_T", "TILE_I_T_2", "TILE_J_T_2"}),
            (Sizes{"1", "128", "128", "16", "8", "8"}));
}

TEST(FlattenedTiles, StepsOfALayerHaveRoomForFiltersAndHalos) {
  const LoweredPlan plan = sizeTiles(
      flattened(std::string("#define XS 3\n") + layer, "layer", {outermost, outer, inner}, "h200"));
  EXPECT_EQ(sizes(plan, {"TILE_I_T", "TILE_O_T", "TILE_J_T", "STEP_T", "TILE_O_T_2", "TILE_J_T_2"}),
            (Sizes{"1", "128", "128", "2", "8", "8"}));
}

TEST(FlattenedTiles, AreAdvancedTogetherByASumOverSeveralLoops) {
  const auto after = [](const std::string &columns) {
    return ir::toString(keepTilesInRegisters(flattened("#define XS " + columns + "\n" + layer,
                                                       "layer", {outermost, outer, inner}))
                            .body);
  };
  const std::string text = after("3");
  EXPECT_EQ(text.find("float s ="), std::string::npos);
  EXPECT_NE(text.find("out_tile[(o * TILE_I_T + i) * TILE_J_T_2 + j] += in["), std::string::npos);
  // Another sum of each element has an end of its own.
  EXPECT_NE(after("j + 1").find("float s ="), std::string::npos);
}

TEST(FlattenedTiles, StayInRegistersFromBeforeTheLoopOfAGroupToAfterIt) {
  const std::string text = ir::toString(keepTilesInRegisters(stageWindows(flattened())).body);
  const std::size_t loop = text.find("for (index part");
  ASSERT_NE(loop, std::string::npos);
  const std::size_t load = text.find("c_tile[i * TILE_J_T_2 + j] = c[");
  EXPECT_LT(load, loop);
  // Only items that there are parts for load some: fewer columns may be left than a tile has.
  const std::size_t guard = text.find("if (mm_part < (b1_len + TILE_J_T_2 - 1)");
  EXPECT_LT(guard, load);
  EXPECT_NE(text.find("c_tile[i * TILE_J_T_2 + j] += a_tile["), std::string::npos);
  EXPECT_GT(text.rfind("] = c_tile["), loop);
}

TEST(FlattenedTiles, DoNotStayWhereRoundsDecideWhichItemsHaveSome) {
  LoweredPlan plan = flattened();
  ir::VarPtr round;
  plan.body = rewrite(plan.body, [&](const ir::StmtPtr &s) -> ir::StmtPtr {
    if (s->kind != ir::StmtKind::For || !s->children[0]->var->name.starts_with("part"))
      return s;
    round = s->children[0]->var;
    return rewrite(s, [&](const ir::StmtPtr &each) -> ir::StmtPtr {
      if (each->kind != ir::StmtKind::If)
        return each;
      auto guarded = std::make_shared<ir::Stmt>(*each);
      guarded->value =
          ir::binary("&&", each->value, ir::binary("<", ir::varRef(round), ir::intLiteral(3)));
      return guarded;
    });
  });
  ASSERT_NE(round, nullptr);
  const std::string text = ir::toString(keepTilesInRegisters(std::move(plan)).body);
  EXPECT_GT(text.find("] = c["), text.find("for (index part"));
}

} // namespace
} // namespace tangram::codegen
