// Register tiles: a part of an array that one worker updates over and over is kept in an array of the
// worker's own, small enough for registers, from before the loops to after them.
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
// worker are the compiler's to fill, the innermost ones are done as vectors, or left to it where the body is none of
// those that are written with vector types (numbers of two sizes, calls): unrolled, a tile of hundreds of elements
// without vectors takes compilers a minute. Tiles at the edges, which
// are smaller, are updated where they are; or, where there are vectors, in such an array, as large as they are:
// nobody else writes to it, and rows that are full are vectors still; an item of a GPU keeps them in registers, too, and
// asks in each round whether it is one of the smaller part. Where items of a group hold the tiles and a loop of the
// group updates them in each of its rounds, they stay in registers from before that loop to after it.
#include "algebra/bounds.h"
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/narrow_products.h"
#include "codegen/analysis/vector_lanes.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "codegen/passes/array/vector_loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr unsigned completely = 64; ///< rounds of loops over tiles that are unrolled
constexpr unsigned fewRounds = 8;   ///< of loops around these that are unrolled, as over a filter
constexpr std::int64_t mostRounds = 16; ///< of several such loops together

/// A window that is a tile: where its elements are used, and by which loops they are counted.
struct Tile {
  const Stmt *window;
  std::vector<std::vector<const Stmt *>> loops; ///< by dimension of the window, over its extent
  VarPtr memory;
  unsigned lanes = 0;
  /// No vectors of ours, but the compiler may find some: rows are not unrolled.
  bool rowsAreLoops = false;
  std::size_t edges = 0; ///< how many dimensions, from the first, may be smaller than their bounds
  bool asks = false; ///< loops go up to bounds, and each round asks whether it is one of the part's

  const Window &of() const { return *window->window; }

  ExprPtr at(const std::vector<ExprPtr> &position) const {
    ExprPtr flat = intLiteral(0);
    for (std::size_t d = 0; d < position.size(); ++d)
      flat = add(mul(flat, of().dims[d].bound), position[d]);
    return index(varRef(memory), {flat});
  }

  ExprPtr element(const std::vector<ExprPtr> &position) const {
    std::vector<ExprPtr> subscripts = of().origin;
    for (std::size_t d = 0; d < position.size(); ++d)
      subscripts[of().dims[d].of] =
          add(subscripts[of().dims[d].of], mul(position[d], of().dims[d].step));
    return index(varRef(of().array), subscripts);
  }

  /// Moves all elements to (`in`) or from the tile.
  StmtPtr moved(bool in) const {
    std::vector<VarPtr> numbers;
    std::vector<ExprPtr> position;
    for (std::size_t d = 0; d < of().dims.size(); ++d) {
      numbers.push_back(newVariable(loops[d][0]->children[0]->var->name));
      position.push_back(varRef(numbers.back()));
    }
    StmtPtr s = in ? assign(at(position), "=", element(position))
                   : assign(element(position), "=", at(position));
    for (std::size_t d = numbers.size(); d-- > 0;)
      s = counted(countingLoop(numbers[d], of().dims[d].extent, block({s})), d);
    return s;
  }

  /// A loop over the extent of dimension d: unrolled where this is the bound.
  StmtPtr counted(const StmtPtr &over, std::size_t d) const {
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

  bool accesses(const StmtPtr &s) const { return !accessesTo(s, of().array.get()).empty(); }

  /// Whether all elements are assigned before any is asked for.
  bool isStarted() const {
    StmtPtr first;
    for (const StmtPtr &each : withoutBlocks({withoutWindows(window->children[0])})) {
      if (!first && accesses(each))
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

  /// The same where so many dimensions may be smaller, in memory of its own.
  Tile smaller(std::size_t dimensions) const {
    Tile tile = *this;
    tile.edges = dimensions;
    tile.memory = std::make_shared<Var>(*memory);
    return tile;
  }

  /// The same for a part that may be smaller in all dimensions: in registers all the same.
  Tile asking() const {
    Tile tile = smaller(0);
    tile.asks = true;
    return tile;
  }

  /// Whether all of the tile is there but at those edges, and vectors fit.
  ExprPtr isFull() const {
    ExprPtr full;
    auto require = [&](const ExprPtr &e) { full = full ? binary("&&", full, e) : e; };
    for (std::size_t d = edges; d < of().dims.size(); ++d)
      require(binary("==", of().dims[d].extent, of().dims[d].bound));
    if (lanes > 1)
      require(binary("==", binary("%", of().dims.back().bound, intLiteral(lanes)), intLiteral(0)));
    return full;
  }

  /// Whether a loop over dimension d has this counter.
  bool countedBy(const VarPtr &number, std::size_t d) const {
    return std::ranges::any_of(loops[d],
                               [&](const Stmt *loop) { return counterOf(*loop) == number; });
  }

  /// Whether both are held or neither: the same loops, as far and by the same vectors.
  bool goesWith(const Tile &other) const {
    return lanes == other.lanes && rowsAreLoops == other.rowsAreLoops &&
           of().array != other.of().array && areAsLarge(of(), other.of());
  }
};

/// Tiles of several arrays that the same loops update; most often of one.
class Tiles {
public:
  explicit Tiles(Tile first) : all_{std::move(first)} {}

  const Tile &first() const { return all_[0]; }
  const StmtPtr &body() const { return first().window->children[0]; }

  void add(Tile tile) { all_.push_back(std::move(tile)); }

  Tiles smaller(std::size_t dimensions) const {
    Tiles tiles = *this;
    for (Tile &each : tiles.all_)
      each = each.smaller(dimensions);
    return tiles;
  }

  Tiles asking() const {
    Tiles tiles = *this;
    for (Tile &each : tiles.all_)
      each = each.asking();
    return tiles;
  }

  void declare(std::vector<StmtPtr> &statements) const {
    for (const Tile &each : all_)
      statements.push_back(ir::declare(each.memory, nullptr));
  }

  /// Moves the elements of all of them to or from the tiles; those that are assigned first need not be moved in.
  void move(bool in, bool started, std::vector<StmtPtr> &statements) const {
    for (const Tile &each : all_) {
      if (!in || !started || !each.isStarted())
        statements.push_back(each.moved(in));
    }
  }

  /// The body with the tiles in the places of the arrays.
  StmtPtr inTiles() const {
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

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

private:
  std::vector<Tile> all_;
};

/// Statements one after the other, with branches around all that follows.
class Nest {
public:
  void add(StmtPtr s) { statements_.push_back(std::move(s)); }
  void branch(ExprPtr condition) { branches_.emplace_back(statements_.size(), condition); }
  bool hasBranches() const { return !branches_.empty(); }

  bool declares(const VarPtr &name) const {
    return std::ranges::any_of(statements_, [&](const StmtPtr &s) { return s->var == name; });
  }

  /// All of it, with `last` in the end.
  StmtPtr around(StmtPtr last) const {
    std::vector<StmtPtr> all = statements_;
    all.push_back(std::move(last));
    for (auto branch = branches_.rbegin(); branch != branches_.rend(); ++branch) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(branch->first);
      StmtPtr taken = ifThen(branch->second, block({first, all.end()}));
      all.erase(first, all.end());
      all.push_back(std::move(taken));
    }
    return block(std::move(all));
  }

private:
  std::vector<StmtPtr> statements_;
  std::vector<std::pair<std::size_t, ExprPtr>> branches_; ///< and how many statements stand before
};

/// The codelet of a plan's innermost worker: what its windows stand around.
class TileFinder {
public:
  explicit TileFinder(const LoweredPlan &plan) : plan_(plan) {
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Allocate && plan.role(s.array->owner) == Role::Host)
        large_.insert(s.var.get());
    });
  }

  /// Whether `s`, a Window, is one; `around`: it is in a loop that it does not depend on.
  std::optional<Tile> tileOf(const Stmt &s, bool around) const {
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

  /// `s`, and the windows that it stands around, where they are tiles of the same loops.
  std::optional<Tiles> tilesOf(const Stmt &s, bool around) const {
    auto first = tileOf(s, around);
    if (!first)
      return std::nullopt;
    Tiles tiles(std::move(*first));
    for (const Stmt *w = s.children[0].get(); w->kind == StmtKind::Window;
         w = w->children[0].get()) {
      auto next = tileOf(*w, around);
      if (next && std::ranges::all_of(tiles, [&](const Tile &t) { return t.goesWith(*next); }))
        tiles.add(std::move(*next));
    }
    return tiles;
  }

private:
  /// Whether an array is a parameter or belongs to the host, so that a worker has a small part of it.
  bool isLarge(const VarPtr &array) const {
    return plan_.bufferOf(array) || large_.contains(array.get());
  }

  static bool isBoundAgain(const StmtPtr &body, const VarPtr &array) {
    bool again = false;
    forEach(body, [&](const Stmt &each) {
      again |= each.kind == StmtKind::Window && each.window->array == array;
    });
    return again;
  }

  /// Each subscript is the number of a loop over the extent of its dimension.
  static bool isCounted(const std::vector<ExprPtr> &position, const WindowAccess &access,
                        Tile &tile) {
    for (std::size_t d = 0; d < position.size(); ++d) {
      if (position[d]->kind != ExprKind::Var)
        return false;
      const auto loop = std::ranges::find_if(access.around, [&](const Stmt *each) {
        return counterOf(*each) && counterOf(*each) == position[d]->var;
      });
      if (loop == access.around.end() ||
          !sameExpr((*loop)->value->args[1], tile.of().dims[d].extent))
        return false;
      if (std::ranges::find(tile.loops[d], *loop) == tile.loops[d].end())
        tile.loops[d].push_back(*loop);
    }
    return true;
  }

  /// How many elements a vector has, where the compiler is to be told: of the innermost loop over a
  /// tile, whose body does the same to neighbours everywhere.
  unsigned lanesOf(const Tile &tile) const {
    const unsigned lanes = vectorLanes(plan_, tile.of().array->type.scalar);
    const Scalar type = tile.of().array->type.scalar;
    const bool all = std::ranges::all_of(
        tile.loops.back(), [&](const Stmt *loop) { return goesByVectors(*loop, type); });
    const bool areNeighbours = isLiteral(tile.of().dims.back().step, 1);
    return lanes > 1 && all && areNeighbours ? lanes : 0;
  }

  const LoweredPlan &plan_;
  std::set<const Var *> large_;
};

class RegisterTiles {
public:
  explicit RegisterTiles(LoweredPlan &plan) : plan_(plan) {
    forEach(plan_.body, [&](const Stmt &s) {
      if (s.kind != StmtKind::Window)
        return;
      for (const WindowDimension &d : s.window->dims) {
        if (d.extent->kind == ExprKind::Var)
          bounds_.try_emplace(d.extent->var.get(), d.bound);
      }
    });
  }

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::For) {
      if (StmtPtr kept = keptAcross(s))
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
    tiles.move(true, true, all);
    all.push_back(advanced(tiles));
    tiles.move(false, true, all);
    return block(std::move(all));
  }

  /// The tiles' body. Where items are many and registers plenty, loops around those over the tile
  /// are unrolled too, where they go as far as they can.
  StmtPtr advanced(const Tiles &tiles) const {
    const StmtPtr body = tiles.inTiles();
    if (plan_.target->itemsAreLoops)
      return body;
    return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
      const VarPtr number = s->kind == StmtKind::For && s->unroll == 0 ? counterOf(*s) : nullptr;
      const ExprPtr end = number ? s->value->args[1] : nullptr;
      if (end && literalValue(end).value_or(completely) < fewRounds && isAroundUnrolled(*s) &&
          *literalValue(end) * roundsInside(*s) <= mostRounds) {
        auto few = std::make_shared<Stmt>(*s);
        few->unroll = completely;
        return few;
      }
      auto bound = end && end->kind == ExprKind::Var ? bounds_.find(end->var.get()) : bounds_.end();
      if (bound == bounds_.end() || !isAroundUnrolled(*s))
        return s;
      auto whole = std::make_shared<Stmt>(*s);
      whole->value = binary("<", varRef(number), bound->second);
      whole->unroll = completely;
      return ifThen(binary("==", end, bound->second), block({withOwnVariables(whole)}), block({s}));
    });
  }

  /// The number of rounds of the unrolled loops inside, as far as their bounds are literals.
  static std::int64_t roundsInside(const Stmt &loop) {
    std::int64_t most = 1;
    for (const StmtPtr &child : loop.children) {
      if (child)
        most = std::max(most, roundsOf(*child));
    }
    return most;
  }
  static std::int64_t roundsOf(const Stmt &s) {
    const std::int64_t inside = roundsInside(s);
    const bool isUnrolled = s.kind == StmtKind::For && s.unroll == completely && counterOf(s);
    return isUnrolled ? inside * literalValue(s.value->args[1]).value_or(1) : inside;
  }

  static bool isAroundUnrolled(const Stmt &loop) {
    bool found = false;
    forEach(loop.children[2], [&](const Stmt &s) { found |= s.unroll == completely; });
    return found;
  }

  /// Tiles in a loop of the group.
  struct Place {
    Tiles tiles;
    const Stmt *workers; ///< the Parallel of items that hold them
    /// The statements around them in the loop: constants, branches and the workers.
    std::vector<const Stmt *> way;
  };

  /// `loop` with tiles that are the same in all its rounds taken before and left after it.
  StmtPtr keptAcross(const StmtPtr &loop) {
    const VarPtr number = counterOf(*loop);
    if (plan_.target->itemsAreLoops || !number || !hasWorkers(plan_, loop, Role::Item))
      return nullptr;
    std::vector<Place> places;
    std::vector<const Stmt *> way;
    find(loop->children[2], nullptr, way, places);
    std::erase_if(places, [&](const Place &p) { return !isFixedIn(*loop, p); });
    if (places.empty())
      return nullptr;
    std::vector<StmtPtr> before;
    std::vector<StmtPtr> after;
    StmtPtr kept = loop;
    for (const Place &p : places) {
      const ExprPtr full = binary("&&", fitsItems(p), p.tiles.first().isFull());
      std::vector<StmtPtr> in;
      std::vector<StmtPtr> out;
      p.tiles.move(true, false, in);
      p.tiles.move(false, false, out);
      p.tiles.declare(before);
      before.push_back(piece(p, ifThen(full, block(std::move(in)))));
      after.push_back(piece(p, ifThen(full, block(std::move(out)))));
      kept = rewrite(kept, [&](const StmtPtr &each) -> StmtPtr {
        return each.get() == p.tiles.first().window
                   ? ifThen(full, advanced(p.tiles), p.tiles.body())
                   : each;
      });
    }
    before.push_back(kept);
    before.insert(before.end(), after.begin(), after.end());
    return block(std::move(before));
  }

  void find(const StmtPtr &s, const Stmt *workers, std::vector<const Stmt *> &way,
            std::vector<Place> &places) const {
    if (!s)
      return;
    const std::size_t visible = way.size();
    if (s->kind == StmtKind::Window && workers) {
      if (auto tiles = TileFinder(plan_).tilesOf(*s, true)) {
        places.push_back({std::move(*tiles), workers, way});
        return;
      }
    }
    const bool isItems =
        s->kind == StmtKind::Parallel && s->var && plan_.role(s->level) == Role::Item && !workers;
    // Maps of several levels that share one of workers ask whether there is a part for the worker.
    const bool isGuard = s->kind == StmtKind::If && (s->children.size() < 2 || !s->children[1]);
    const bool walks =
        s->kind == StmtKind::Block || s->kind == StmtKind::Window || isItems || isGuard;
    if (!walks)
      return;
    if (isItems || isGuard)
      way.push_back(s.get());
    for (const StmtPtr &child : s->children) {
      if (child && child->kind == StmtKind::Decl && child->value)
        way.push_back(child.get());
      find(child, isItems ? s.get() : workers, way, places);
    }
    if (isItems || isGuard)
      way.resize(visible);
  }

  /// Whether nothing that decides which part of the array the tile is changes from round to round,
  /// and no other code of the loop touches the array.
  bool isFixedIn(const Stmt &loop, const Place &p) const {
    const VarPtr number = counterOf(loop);
    std::set<const Var *> changing{number.get()};
    forEach(loop.children[2], [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        changing.insert(s.target->var.get());
      if (s.kind == StmtKind::Decl && s.value && std::ranges::find(p.way, &s) == p.way.end())
        changing.insert(s.var.get());
    });
    bool fixed = true;
    auto look = [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        fixed &= each.kind != ExprKind::Index && each.kind != ExprKind::Atomic &&
                 !(each.kind == ExprKind::Var && changing.contains(each.var.get()));
      });
    };
    for (const Stmt *each : needed(p))
      look(each->value);
    for (const ExprPtr &e : decisive(p))
      look(e);
    for (const Tile &tile : p.tiles) {
      const VarPtr &array = tile.of().array;
      fixed &= accessesTo(loop.children[2], array.get()).size() ==
               accessesTo(p.tiles.body(), array.get()).size();
    }
    return fixed && mostWorkers(p) != nullptr;
  }

  /// What decides which parts of the arrays the tiles are, and how many workers have some.
  static std::vector<ExprPtr> decisive(const Place &p) {
    std::vector<ExprPtr> all;
    for (const Tile &tile : p.tiles) {
      all.insert(all.end(), tile.of().origin.begin(), tile.of().origin.end());
      for (const WindowDimension &d : tile.of().dims)
        all.push_back(d.extent);
    }
    all.push_back(p.workers->value);
    return all;
  }

  /// The constants that these and the branches depend on, with the branches and the workers, in order.
  static std::vector<const Stmt *> needed(const Place &p) {
    std::set<const Var *> wanted;
    auto want = [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        if (each.kind == ExprKind::Var)
          wanted.insert(each.var.get());
      });
    };
    for (const ExprPtr &e : decisive(p))
      want(e);
    std::vector<const Stmt *> found;
    for (auto s = p.way.rbegin(); s != p.way.rend(); ++s) {
      if ((*s)->kind != StmtKind::Decl || wanted.contains((*s)->var.get())) {
        want((*s)->value);
        found.insert(found.begin(), *s);
      }
    }
    return found;
  }

  /// How many items have a tile at most, over what is known when the kernel is compiled.
  ExprPtr mostWorkers(const Place &p) const {
    std::map<const Var *, ExprPtr> values;
    forEach(plan_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl && s.value)
        values[s.var.get()] = s.value;
    });
    std::vector<VarPtr> positive;
    for (const Tunable &t : plan_.tunables) {
      if (t.kind == Tunable::Kind::Compile && t.min >= 1)
        positive.push_back(t.var);
    }
    auto isKnownVariable = [&](const Expr &e) {
      const Tunable *t = plan_.tunableOf(e.var);
      return t && t->kind == Tunable::Kind::Compile;
    };
    auto most = [&](const VarPtr &v) -> ExprPtr {
      if (auto bound = bounds_.find(v.get()); bound != bounds_.end())
        return bound->second;
      auto value = values.find(v.get());
      return value == values.end() ? nullptr : value->second;
    };
    return upperBoundOver(p.workers->value, isKnownVariable, most, positive);
  }

  /// Each item has one tile at most.
  ExprPtr fitsItems(const Place &p) const {
    return binary("<=", mostWorkers(p), plan_.workers.at(p.workers->level));
  }

  /// `s` for each item's tile, outside of the loop: with numbers of its own.
  static StmtPtr piece(const Place &p, const StmtPtr &s) {
    std::map<const Var *, ExprPtr> renamed;
    auto again = [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        auto found = e->kind == ExprKind::Var ? renamed.find(e->var.get()) : renamed.end();
        return found == renamed.end() ? e : found->second;
      });
    };
    auto worker = std::make_shared<Var>(*p.workers->var);
    renamed[p.workers->var.get()] = varRef(worker);
    Nest outside;
    Nest inside;
    bool inWorkers = false;
    for (const Stmt *each : needed(p)) {
      const ExprPtr value = again(each->value);
      if (each->kind == StmtKind::Parallel) {
        inWorkers = true;
      } else if (each->kind == StmtKind::If) {
        (inWorkers ? inside : outside).branch(value);
      } else {
        const VarPtr own = renewed(*each->var);
        const bool itemsOwn =
            inside.hasBranches() || contains(value, [&](const Expr &e) {
              return e.kind == ExprKind::Var && (e.var == worker || inside.declares(e.var));
            });
        (itemsOwn ? inside : outside).add(declare(own, value));
        renamed[each->var.get()] = varRef(own);
      }
    }
    return outside.around(parallel(p.workers->level, p.workers->span, worker,
                                   again(p.workers->value), inside.around(mapExprs(s, again)),
                                   p.workers->location));
  }

  LoweredPlan &plan_;
  std::map<const Var *, ExprPtr> bounds_; ///< of extents of windows, known when compiled
};

} // namespace

LoweredPlan keepTilesInRegisters(LoweredPlan plan) {
  plan.body = RegisterTiles(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
