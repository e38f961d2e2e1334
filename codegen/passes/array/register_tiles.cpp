// Register tiles: a part of an array that one worker updates over and over is kept in an array of
// the worker's own, small enough for registers, from before the loops to after them.
//
//   before: for (k < n) for (i < rows) for (j < columns) c[i0 + i][j0 + j] += a[i0 + i][k] * b[k][j0 + j];
//   after:  if (rows == R && columns == C) {
//             for (i < R) for (j < C) tile[i * C + j] = c[i0 + i][j0 + j];
//             for (k < n) for (i < R) for (j < C) tile[i * C + j] += a[i0 + i][k] * b[k][j0 + j];
//             for (i < R) for (j < C) c[i0 + i][j0 + j] = tile[i * C + j];
//           } else { before }
//
// There may be several such loops, one that starts the elements, say, and one that advances them.
//
// R and C are known when the kernel is compiled: the loops are unrolled, and where the lanes of a
// worker are the compiler's to fill, the innermost ones are done as vectors, or left to it where
// the body is none of those that are written with vector types (numbers of two sizes, calls):
// unrolled, a tile of hundreds of elements without vectors takes compilers a minute. Tiles at the
// edges, which are smaller, are updated where they are; or, where there are vectors, in such an
// array, as large as they are: nobody else writes to it, and rows that are full are vectors still;
// an item of a GPU keeps them in registers, too, and asks in each round whether it is one of the
// smaller part. Where items of a group hold the tiles and a loop of the group updates them in each
// of its rounds, they stay in registers from before that loop to after it, those at edges too.
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "codegen/passes/array/tile_finder.h"
#include "codegen/passes/array/tiles_across_loops.h"
#include "codegen/passes/array/unrolled_tiles.h"

namespace tangram::codegen {

using namespace ir;

namespace {

class RegisterTiles {
public:
  explicit RegisterTiles(const LoweredPlan &plan) : plan_(plan), updates_(plan) {}

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::For) {
      if (StmtPtr kept = keptAcross(s, plan_, updates_))
        return kept;
    }
    if (s->kind == StmtKind::Window) {
      if (const auto tiles = TileFinder(plan_).tilesOf(*s, false))
        return inPlace(*tiles);
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child));
    return withChildren(s, std::move(children));
  }

private:
  StmtPtr inPlace(const Tiles &tiles) const {
    const Tile &tile = tiles.first();
    const std::size_t dimensions = tile.of().dims.size();
    if (!plan_.target->itemsAreLoops)
      return ifThen(tile.isFull(), updated(tiles),
                    block({withOwnVariables(updated(tiles.asking()))}));
    if (tile.lanes <= 1 || dimensions < 2)
      return ifThen(tile.isFull(), updated(tiles), tiles.body());
    const Tiles rows = tiles.smaller(dimensions - 1);
    return ifThen(
        tile.isFull(), updated(tiles),
        block({ifThen(rows.first().isFull(), updated(rows), updated(tiles.smaller(dimensions)))}));
  }

  StmtPtr updated(const Tiles &tiles) const {
    std::vector<StmtPtr> all;
    tiles.declare(all);
    tiles.loadUnstarted(all);
    all.push_back(updates_.bodyOf(tiles));
    tiles.store(all);
    return block(std::move(all));
  }

  const LoweredPlan &plan_;
  const UnrolledTiles updates_;
};

} // namespace

LoweredPlan keepTilesInRegisters(LoweredPlan plan) {
  plan.body = RegisterTiles(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
