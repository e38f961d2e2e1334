#include "codegen/passes/array/tile.h"

#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/vector_loops.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

ExprPtr Tile::at(const std::vector<ExprPtr> &position) const {
  ExprPtr flat = intLiteral(0);
  for (std::size_t d = 0; d < position.size(); ++d)
    flat = add(mul(flat, of().dims[d].bound), position[d]);
  return index(varRef(memory), {flat});
}

ExprPtr Tile::element(const std::vector<ExprPtr> &position) const {
  std::vector<ExprPtr> subscripts = of().origin;
  for (std::size_t d = 0; d < position.size(); ++d)
    subscripts[of().dims[d].of] =
        add(subscripts[of().dims[d].of], mul(position[d], of().dims[d].step));
  return index(varRef(of().array), subscripts);
}

StmtPtr Tile::load() const {
  return forEachElement([&](const std::vector<ExprPtr> &position) {
    return assign(at(position), "=", element(position));
  });
}

StmtPtr Tile::store() const {
  return forEachElement([&](const std::vector<ExprPtr> &position) {
    return assign(element(position), "=", at(position));
  });
}

StmtPtr
Tile::forEachElement(const std::function<StmtPtr(const std::vector<ExprPtr> &)> &assigned) const {
  std::vector<VarPtr> numbers;
  std::vector<ExprPtr> position;
  for (std::size_t d = 0; d < of().dims.size(); ++d) {
    numbers.push_back(newVariable(loops[d][0]->children[0]->var->name));
    position.push_back(varRef(numbers.back()));
  }
  StmtPtr s = assigned(position);
  for (std::size_t d = numbers.size(); d-- > 0;)
    s = counted(countingLoop(numbers[d], of().dims[d].extent, block({s})), d);
  return s;
}

StmtPtr Tile::counted(const StmtPtr &over, std::size_t d) const {
  if (d < edges)
    return over;
  auto loop = std::make_shared<Stmt>(*over);
  loop->value = binary("<", over->value->args[0], of().dims[d].bound);
  if (asks) {
    loop->children[2] = block({ifThen(over->value, over->children[2])});
    return unrolledLoop(loop, completely);
  }
  const bool byVectors = lanes > 1 && d + 1 == loops.size();
  if (byVectors)
    loop->children[2] = bodyOfVectors(*over);
  else if (rowsAreLoops && d + 1 == loops.size())
    return loop;
  return unrolledLoop(loop, completely, byVectors ? lanes : 0);
}

bool Tile::isStarted() const {
  StmtPtr first;
  for (const StmtPtr &each : withoutBlocks({withoutWindows(window->children[0])})) {
    if (!first && !accessesTo(each, of().array.get()).empty())
      first = each;
  }
  if (!first)
    return false;
  std::vector<VarPtr> numbers; // a subscript each: all elements are there, and not a diagonal
  for (std::size_t d = 0; d < loops.size(); ++d) {
    if (first->kind != StmtKind::For || !counterOf(*first))
      return false;
    numbers.push_back(counterOf(*first));
    const std::vector<StmtPtr> inside = withoutBlocks({first->children[2]});
    if (inside.size() != 1)
      return false;
    first = inside[0];
  }
  if (first->kind != StmtKind::Assign || first->op != "=" ||
      first->target->kind != ExprKind::Index || first->target->args[0]->var != of().array)
    return false;
  for (const VarPtr &number : numbers) {
    if (!mentions(first->target, number.get()))
      return false;
  }
  return !contains(first->value, [&](const Expr &e) {
    return e.kind == ExprKind::Index && e.args[0]->var == of().array;
  });
}

Tile Tile::smaller(std::size_t dimensions) const {
  Tile tile = *this;
  tile.edges = dimensions;
  tile.memory = std::make_shared<Var>(*memory);
  return tile;
}

Tile Tile::asking() const {
  Tile tile = *this;
  tile.edges = 0;
  tile.asks = true;
  return tile;
}

ExprPtr Tile::isFull() const {
  ExprPtr full;
  auto require = [&](const ExprPtr &e) { full = full ? binary("&&", full, e) : e; };
  for (std::size_t d = edges; d < of().dims.size(); ++d)
    require(binary("==", of().dims[d].extent, of().dims[d].bound));
  if (lanes > 1)
    require(binary("==", binary("%", of().dims.back().bound, intLiteral(lanes)), intLiteral(0)));
  return full;
}

bool Tile::countedBy(const VarPtr &number, std::size_t d) const {
  return std::ranges::any_of(loops[d],
                             [&](const Stmt *loop) { return counterOf(*loop) == number; });
}

bool Tile::goesWith(const Tile &other) const {
  return lanes == other.lanes && rowsAreLoops == other.rowsAreLoops &&
         of().array != other.of().array && areAsLarge(of(), other.of());
}

Tiles Tiles::smaller(std::size_t dimensions) const {
  Tiles tiles = *this;
  for (Tile &each : tiles.all_)
    each = each.smaller(dimensions);
  return tiles;
}

Tiles Tiles::asking() const {
  Tiles tiles = *this;
  for (Tile &each : tiles.all_)
    each = each.asking();
  return tiles;
}

void Tiles::declare(std::vector<StmtPtr> &statements) const {
  for (const Tile &each : all_)
    statements.push_back(ir::declare(each.memory, nullptr));
}

void Tiles::load(std::vector<StmtPtr> &statements) const {
  for (const Tile &each : all_)
    statements.push_back(each.load());
}

void Tiles::loadUnstarted(std::vector<StmtPtr> &statements) const {
  for (const Tile &each : all_) {
    if (!each.isStarted())
      statements.push_back(each.load());
  }
}

void Tiles::store(std::vector<StmtPtr> &statements) const {
  for (const Tile &each : all_)
    statements.push_back(each.store());
}

StmtPtr Tiles::inTiles() const {
  StmtPtr changed = rewrite(body(), [&](const StmtPtr &each) -> StmtPtr {
    const VarPtr number = each->kind == StmtKind::For ? counterOf(*each) : nullptr;
    for (std::size_t d = 0; number && d < first().loops.size(); ++d) {
      if (std::ranges::any_of(all_, [&](const Tile &t) { return t.countedBy(number, d); }))
        return first().counted(each, d);
    }
    return each;
  });
  return withOwnVariables(mapExprs(changed, [&](const ExprPtr &own) {
    return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
      for (const Tile &each : all_) {
        if (e->kind == ExprKind::Index && e->args[0]->var == each.of().array)
          return each.at(*positionInSteps(each.of(), {e->args.begin() + 1, e->args.end()}));
      }
      return e;
    });
  }));
}

} // namespace tangram::codegen
