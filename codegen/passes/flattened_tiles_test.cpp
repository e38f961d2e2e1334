// Passes on tiles that nested maps give the workers of one level, along one loop each.
#include "codegen/kernel/building.h"
#include "codegen/passes/passes.h"
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

constexpr int loop = 0, tileI = 1, tileJ = 2, step = 3;

/// Tiles of both loops for the workers below `level`, counted together.
ir::PlanPtr tiles(const composer::Machine &machine, int level, ir::PlanPtr inner) {
  const int flat = machine.flatOf(machine.levels[static_cast<std::size_t>(level)].subordinate);
  const ir::PlanPtr columns =
      compound(flat, "mm", tileJ, {mapped(flat, "mm", distribute, std::move(inner))});
  return compound(level, "mm", tileI, {mapped(level, "mm", distribute, columns)});
}

/// Tiles to groups, steps in depth, tiles of tiles to items.
LoweredPlan flattened() {
  static const ir::Program program = parse(product);
  static const composer::Machine machine =
      composer::withFlatLevels(projected("simple-gpu", "opencl"));
  const ir::PlanPtr items = tiles(machine, 1, compute(2, "mm", loop));
  const ir::PlanPtr plan =
      tiles(machine, 0, compound(1, "mm", step, {mapped(1, "mm", serialize, items)}));
  auto made = lower(program, "mm", plan, machine, "opencl");
  if (const auto *refusal = std::get_if<Refusal>(&made)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return interchangeLoops(std::get<LoweredPlan>(std::move(made)));
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
