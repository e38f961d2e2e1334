#include "codegen/passes/array/tile_finder.h"

#include "codegen/analysis/narrow_products.h"
#include "codegen/analysis/vector_lanes.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/vector_loops.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

std::optional<Tile> TileFinder::tileOf(const Stmt &s, bool around) const {
  const Window &w = *s.window;
  const StmtPtr &body = s.children[0];
  // Items each have registers of their own: what one of them does to a tile of all, the others do not see.
  if (!plan_.target->itemsAreLoops &&
      (hasWorkers(plan_, body, Role::Item) || hasWorkers(plan_, body, Role::Group)))
    return std::nullopt;
  const ArrayUse use = useOf(body, w.array.get());
  if (!use.writes || use.atomic || isBoundAgain(body, w.array) || !isLarge(w.array))
    return std::nullopt;
  Tile tile{&s, std::vector<std::vector<const Stmt *>>(w.dims.size()), nullptr};
  bool reused = around;
  for (const WindowAccess &access : accessesTo(body, w.array.get())) {
    const auto position =
        positionInSteps(w, {access.element->args.begin() + 1, access.element->args.end()});
    if (!position || !isCounted(*position, access, tile))
      return std::nullopt;
    reused |= std::ranges::any_of(access.around, [&](const Stmt *loop) {
      return std::ranges::none_of(tile.loops, [&](const auto &over) {
        return std::ranges::find(over, loop) != over.end();
      });
    });
  }
  if (!reused || std::ranges::any_of(tile.loops, [](const auto &over) { return over.empty(); }))
    return std::nullopt;
  auto memory = std::make_shared<Var>(*newVariable(s.var->name + "_tile", w.array->type.scalar));
  memory->extent = mostElements(w);
  tile.memory = memory;
  tile.lanes = lanesOf(tile);
  tile.rowsAreLoops = w.dims.size() > 1 && tile.lanes <= 1 &&
                      vectorLanes(plan_, w.array->type.scalar) > 1 &&
                      !sumsNarrowProducts(plan_, body, w.array.get());
  return tile;
}

std::optional<Tiles> TileFinder::tilesOf(const Stmt &s, bool around) const {
  auto first = tileOf(s, around);
  if (!first)
    return std::nullopt;
  Tiles tiles(std::move(*first));
  for (const Stmt *w = s.children[0].get(); w->kind == StmtKind::Window; w = w->children[0].get()) {
    auto next = tileOf(*w, around);
    if (next && std::ranges::all_of(tiles, [&](const Tile &t) { return t.goesWith(*next); }))
      tiles.add(std::move(*next));
  }
  return tiles;
}

bool TileFinder::isBoundAgain(const StmtPtr &body, const VarPtr &array) {
  bool again = false;
  forEach(body, [&](const Stmt &each) {
    again |= each.kind == StmtKind::Window && each.window->array == array;
  });
  return again;
}

bool TileFinder::isCounted(const std::vector<ExprPtr> &position, const WindowAccess &access,
                           Tile &tile) {
  for (std::size_t d = 0; d < position.size(); ++d) {
    if (position[d]->kind != ExprKind::Var)
      return false;
    const auto loop = std::ranges::find_if(access.around, [&](const Stmt *each) {
      return counterOf(*each) && counterOf(*each) == position[d]->var;
    });
    if (loop == access.around.end() || !sameExpr((*loop)->value->args[1], tile.of().dims[d].extent))
      return false;
    if (std::ranges::find(tile.loops[d], *loop) == tile.loops[d].end())
      tile.loops[d].push_back(*loop);
  }
  return true;
}

unsigned TileFinder::lanesOf(const Tile &tile) const {
  const unsigned lanes = vectorLanes(plan_, tile.of().array->type.scalar);
  const Scalar type = tile.of().array->type.scalar;
  const bool all = std::ranges::all_of(
      tile.loops.back(), [&](const Stmt *loop) { return goesByVectors(*loop, type); });
  const bool areNeighbours = isLiteral(tile.of().dims.back().step, 1);
  return lanes > 1 && all && areNeighbours ? lanes : 0;
}

} // namespace tangram::codegen
