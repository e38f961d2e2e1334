// Sizes of tiles to start from: those of parts whose sizes are left open get defaults that suit the
// machine's memory, as far as its model tells it. The tuner may choose others.
//
//   a register tile, R x C     as large as registers hold beside what it is updated from
//   a tile in no other one     where lanes are loops, of vectors, as large as a register tile
//   a tile of a group, M x N   one register tile for each of its items; or, where lanes are the
//                              compiler's, so many that both inputs of a step fit the second cache,
//                              powers of two, or as few more as register tiles allow: what is cut into
//                              tiles is often a multiple of such, and parts that are left over are work
//                              that some threads have and others do not
//   a tile of sums of narrow   each element a vector, as sums are made by pairs (codegen/analysis/narrow_products.h); of a
//   products                   group so large that packing is little of it, and a step whose factors are half the second cache
//   a tile of more dimensions  the same along the two that are cut for groups and again for items; one element
//                              along others, as of a batch: nothing along them is used twice
//   a row for each item        where a GPU's items are neighbours along the contiguous dimension, which the group has
//                              all of, or a piece of a row: one element along it, so that they read neighbours, and a register tile along
//                              the others that items have parts of, four times as high (channels) as wide (lines);
//                              for a group some of these, as rows may be short; where lanes are loops, two vectors
//                              along it, and rows of one line
//   a part of a group, N       as many for each item as a quarter of its registers hold; or, of a thread,
//                              half of its second cache for each of what it reads and writes
//   a part along a row, N      where lanes are loops, four vectors, where nothing else is known of it
//   a square part, N x N       that one worker copies, where lanes are loops: as many elements as a
//                              part of a thread
//   items of a group           that waits for other groups: as many as there are units for, so that
//                              others have room to work meanwhile
//   a step in depth, K         so deep that its copies fit local memory, with room for their padding,
//                              and an item has as many loads of the next one under way as it may;
//                              or that a strip as wide as a register tile fits the first cache
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/definitions.h"
#include "codegen/analysis/narrow_products.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/analysis/windows.h"
#include "codegen/passes/array/passes.h"
#include "codegen/passes/array/tile_capacities.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

Count rootBelow(Count n) {
  Count root = 1;
  while ((root + 1) * (root + 1) <= n)
    ++root;
  return root;
}

Count powerFrom(Count n) { return n <= 1 ? 1 : 2 * powerBelow(n - 1); }

Count multipleFrom(Count n, Count of) { return (n + of - 1) / of * of; }

constexpr Count vectorsOfRow = 4;
constexpr Count narrowTile = 128; ///< rows and columns of a group's tile of sums of narrow products
constexpr Count smallestTile =
    4; ///< along one dimension of a register tile, so that operands are used again
constexpr Count tilesOfSteps =
    4; ///< register tiles above each other in a group that goes through a sum in steps
constexpr Count linesOfGroup =
    4; ///< rows of register tiles in a group whose tile is shorter than a row of the output
constexpr Count rowsOfVectors = 16; ///< register tiles side by side in a thread's part of a row

class Sizes {
public:
  explicit Sizes(LoweredPlan &plan) : plan_(plan), has_(plan), definitions_(plan.body) {}

  void run() {
    if (!plan_.target->itemsAreLoops && handsOver(plan_.body))
      sizeGroups();
    forEach(plan_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && s.var && plan_.role(s.level) == Role::Item)
        items_.insert(s.var.get());
    });
    std::vector<const Stmt *> around;
    walk(plan_.body, around);
  }

private:
  /// The tunable that bounds a dimension, if its size is open, in what may be of a known size.
  Tunable *open(const WindowDimension &d) {
    ExprPtr bound = d.bound;
    if (bound->kind == ExprKind::Call && bound->callee == "min") {
      for (const std::size_t known : {0, 1}) {
        if (literalValue(d.bound->args[known]))
          bound = d.bound->args[1 - known];
      }
    }
    if (bound->kind != ExprKind::Var)
      return nullptr;
    return compileTimeSize(bound->var);
  }

  Tunable *compileTimeSize(const VarPtr &var) {
    auto found = std::ranges::find_if(plan_.tunables, [&](const Tunable &t) {
      return t.var == var && t.kind == Tunable::Kind::Compile;
    });
    return found == plan_.tunables.end() ? nullptr : &*found;
  }

  /// The nearest value that the tunable may have, not above it where there is one.
  static void set(Tunable *tunable, Count value) {
    if (!tunable || value == 0)
      return;
    value = std::clamp<Count>(value, tunable->min, tunable->max);
    if (!tunable->values.empty()) {
      Count best = static_cast<Count>(*std::ranges::min_element(tunable->values));
      for (std::int64_t each : tunable->values) {
        if (static_cast<Count>(each) <= value)
          best = std::max(best, static_cast<Count>(each));
      }
      value = best;
    }
    tunable->defaultValue = std::to_string(value);
  }

  static void setWithoutDomain(Tunable *tunable, Count value) {
    if (tunable && tunable->values.empty())
      set(tunable, value);
  }

  void walk(const StmtPtr &s, std::vector<const Stmt *> &around) {
    if (!s)
      return;
    const bool window = s->kind == StmtKind::Window;
    if (window)
      around.push_back(s.get());
    if (window && plan_.target->itemsAreLoops && isGiven(*s->window))
      sizeRows(*s->window);
    if (window && !isBoundAgain(*s))
      sizeNeighbours(*s, around);
    if (const auto cut = window && !isBoundAgain(*s) ? cutOf(*s, around) : std::nullopt)
      choose(*s, *cut, around);
    if (window && s->window->dims.size() == 1 && plan_.role(s->level) == Role::Group &&
        isGiven(*s->window))
      set(open(s->window->dims[0]), has_.partOf(byteSize(s->window->array->type.scalar)));
    if (window && plan_.target->itemsAreLoops && isSquare(*s))
      set(open(s->window->dims[0]),
          rootBelow(has_.partOf(byteSize(s->window->array->type.scalar))));
    for (const StmtPtr &child : s->children)
      walk(child, around);
    if (window)
      around.pop_back();
  }

  /// Neighbours in memory that a part of which nothing else is known has: some vectors of them.
  void sizeRows(const ir::Window &window) {
    for (const WindowDimension &d : window.dims) {
      Tunable *size = d.of + 1 == window.origin.size() ? open(d) : nullptr;
      if (size && size->defaultValue == plan_.machine->code.parts.defaultCount)
        setWithoutDomain(size, has_.lanes * vectorsOfRow);
    }
  }

  /// The dimensions of an output that are the rows and the columns of a tile.
  using Cut = std::array<std::size_t, 2>;

  /// Both dimensions of two; of more, the two in which workers have smaller parts than their group.
  std::optional<Cut> cutOf(const Stmt &s, const std::vector<const Stmt *> &around) {
    const std::vector<WindowDimension> &dims = s.window->dims;
    std::vector<std::size_t> found{0, 1};
    if (dims.size() > 2) {
      const auto group = std::ranges::find_if(around, [&](const Stmt *each) {
        return each->window->array == s.window->array && each->window->dims.size() == dims.size();
      });
      found.clear();
      for (std::size_t d = 0; group != around.end() && d < dims.size(); ++d) {
        if (!sameExpr((*group)->window->dims[d].bound, dims[d].bound))
          found.push_back(d);
      }
    }
    if (dims.size() < 2 || found.size() != 2 || !isTile(s, {found[0], found[1]}))
      return std::nullopt;
    return Cut{found[0], found[1]};
  }

  /// The open size of the group's part that a dimension of an item's window lies in: what the
  /// window's place is computed from besides its own size. Null: there is none.
  Tunable *sizeInGroup(const ir::Window &window, std::size_t d) {
    const Tunable *own = open(window.dims[d]);
    std::set<const Var *> seen;
    Tunable *found = nullptr;
    const std::function<void(const ExprPtr &)> look = [&](const ExprPtr &e) {
      if (e->kind == ExprKind::Binary && (e->op == "/" || e->op == "%"))
        return; // numbers of parts
      for (const ExprPtr &arg : e->args)
        look(arg);
      if (e->kind != ExprKind::Var || !seen.insert(e->var.get()).second)
        return;
      if (const ExprPtr value = definitions_.of(*e))
        return look(value);
      Tunable *size = compileTimeSize(e->var);
      found = size && size != own ? size : found;
    };
    look(window.origin[window.dims[d].of]);
    return found;
  }

  /// Whether where a dimension of a window begins follows from an item's number.
  bool isOfItems(const ir::Window &window, std::size_t d) const {
    return definitions_.anyPart({window.origin[window.dims[d].of]},
                                [&](const Expr &e) { return items_.contains(e.var.get()); });
  }

  /// Sizes of an output's part of an item whose neighbours are next to it in memory: the contiguous
  /// dimension is cut for items alone, and others are, too.
  void sizeNeighbours(const Stmt &s, const std::vector<const Stmt *> &around) {
    const ir::Window &window = *s.window;
    const std::size_t last = window.dims.size() - 1;
    if (last < 2 || plan_.role(s.level) != Role::Item || !open(window.dims[last]) ||
        !isOfItems(window, last) || !useOf(s.children[0], window.array.get()).writes)
      return;
    std::vector<std::size_t> held;
    for (std::size_t d = 0; d < last; ++d) {
      if (open(window.dims[d]) && isOfItems(window, d))
        held.push_back(d);
    }
    const auto [rows, columns] =
        has_.registerTile(byteSize(window.array->type.scalar), tilesBeside(s, around));
    if (held.empty() || held.size() > 2 || rows == 0)
      return;
    for (const WindowDimension &d : window.dims)
      set(open(d), 1);
    Tunable *row = sizeInGroup(window, last);
    const bool loops = plan_.target->itemsAreLoops;
    // Vectors of neighbours, in rows that are read again; or a neighbour for each item.
    set(open(window.dims[last]), loops ? columns : 1);
    const Count lines = !loops && held.back() + 1 == last ? linesOfGroup : 1;
    set(row, loops ? columns * rowsOfVectors : std::max<Count>(has_.items / lines, 1));
    const Count high = loops ? powerBelow(rows) : rows * 2;
    const Count wide = loops ? 1 : std::max<Count>(columns / 2, 1);
    const bool goesInSteps = !loops && row && !depthsBeside(window, around).empty();
    Count others = 1; // register tiles of the group along the other dimensions
    for (const std::size_t d : held) {
      const bool isHigh = isSameAlong(s, d);
      const Count size = fitting(isHigh ? high : wide, window.dims[d].extent);
      const bool areLines = d + 1 == last;
      Count count = held.size() == 2 ? 2 : 4;
      if (goesInSteps)
        count = isHigh ? tilesOfSteps : areLines ? tilesOfSteps / 2 : 1;
      else if (row)
        count = areLines ? lines : 1;
      set(open(window.dims[d]), size);
      set(sizeInGroup(window, d), size * count);
      others *= count;
    }
    if (!goesInSteps)
      return;
    const Count own = held.size() == 1 ? wide : 1;
    set(open(window.dims[last]), own);
    set(row, own * std::max<Count>(has_.items / others, 1));
    Count copied = 0;
    const std::vector<Depth> depths = depthsBeside(window, around);
    for (const Depth &each : depths)
      copied += valueOf(mostElements(*each.window)) / valueOf(varRef(each.size->var));
    for (const Depth &each : depths)
      set(each.size, depthOfCopies(byteSize(window.array->type.scalar), copied));
  }

  /// A group's window onto an input in one step of a sum, and the open tunable that is the length of the step.
  struct Depth {
    const ir::Window *window;
    Tunable *size;
  };
  /// The windows of steps among those `around`: an open size of theirs is none of the output's.
  std::vector<Depth> depthsBeside(const ir::Window &output,
                                  const std::vector<const Stmt *> &around) {
    std::set<const Tunable *> ofOutput;
    for (const Stmt *each : around) {
      for (const WindowDimension &d : each->window->dims) {
        if (each->window->array == output.array)
          ofOutput.insert(open(d));
      }
    }
    std::vector<Depth> found;
    for (const Stmt *each : around) {
      if (each->window->array == output.array || plan_.role(each->level) != Role::Group)
        continue;
      for (const WindowDimension &d : each->window->dims) {
        Tunable *size = open(d);
        if (size && !ofOutput.contains(size) && each->window->dims.size() > 1)
          found.push_back({each->window.get(), size});
      }
    }
    return found;
  }

  /// The length of a step where `copied` elements of `size` bytes are copied for each of its numbers.
  Count depthOfCopies(Count size, Count copied) const {
    copied = std::max<Count>(copied, 1);
    const Count fits = has_.local * 3 / 4 / (size * copied);
    const Count underWay = plan_.machine->code.loadsInFlight * has_.items / copied;
    return powerBelow(std::max<Count>(std::min(fits, underWay), 1));
  }

  /// How many elements are cut into parts of this extent, max(min(start + t, n), start) - start,
  /// where n is a constant, or the extent of such a part with a constant t.
  std::optional<Count> elementsCut(const ExprPtr &extent) const {
    if (extent->kind == ExprKind::Cast)
      return elementsCut(extent->args[0]);
    if (const auto value = literalValue(extent))
      return *value > 0 ? std::optional(static_cast<Count>(*value)) : std::nullopt;
    if (extent->kind == ExprKind::Var) {
      const ExprPtr value = definitions_.of(*extent);
      return value ? elementsCut(value) : std::nullopt;
    }
    if (isBinary(*extent, "-") || isBinary(*extent, "+"))
      return elementsCut(extent->args[0]);
    std::optional<Count> least;
    for (const ExprPtr &arg :
         extent->kind == ExprKind::Call ? extent->args : std::vector<ExprPtr>{}) {
      const bool isStart = extent->callee == "max" && arg->kind != ExprKind::Call;
      const auto elements = isStart ? std::nullopt : elementsCut(arg);
      least = least && elements ? std::min(*least, *elements) : elements ? elements : least;
    }
    return least;
  }

  /// `size`, or a smaller one of which there are whole numbers in what is cut, as far as that is
  /// known.
  Count fitting(Count size, const ExprPtr &extent) const {
    const auto elements = elementsCut(extent);
    if (!elements)
      return size;
    Count fits = powerBelow(std::min(size, *elements));
    while (fits > smallestTile && *elements % fits != 0)
      fits /= 2;
    return *elements % fits == 0 ? fits : powerBelow(std::min(size, *elements));
  }

  /// The counters of the loops over a dimension of a window.
  static std::set<const Var *> countersAlong(const Stmt &window, std::size_t d) {
    std::set<const Var *> counters;
    forEach(window.children[0], [&](const Stmt &s) {
      const VarPtr number = s.kind == StmtKind::For ? counterOf(s) : nullptr;
      if (number && sameExpr(s.value->args[1], window.window->dims[d].extent))
        counters.insert(number.get());
    });
    return counters;
  }

  /// Whether what neighbours along the last dimension read side by side is the same all along
  /// dimension d.
  bool isSameAlong(const Stmt &window, std::size_t d) const {
    const std::set<const Var *> neighbours = countersAlong(window, window.window->dims.size() - 1);
    const std::set<const Var *> along = countersAlong(window, d);
    const auto mentionsOneOf = [&](const Expr &element, const std::set<const Var *> &counters) {
      return definitions_.anyPart({element.args.begin() + 1, element.args.end()},
                                  [&](const Expr &e) { return counters.contains(e.var.get()); });
    };
    bool same = true;
    forEachExpr(window.children[0], [&](const Expr &e) {
      if (e.kind == ExprKind::Index && e.args[0]->var != window.window->array &&
          mentionsOneOf(e, neighbours) && mentionsOneOf(e, along))
        same = false;
    });
    return same;
  }

  /// An output whose rows and columns are of open sizes.
  bool isTile(const Stmt &s, const Cut &cut) {
    const Tunable *rows = open(s.window->dims[cut[0]]);
    const Tunable *columns = open(s.window->dims[cut[1]]);
    return rows && columns && rows != columns && useOf(s.children[0], s.window->array.get()).writes;
  }

  /// for ... for ... to = from, in windows of the worker.
  static bool isCopied(const StmtPtr &body, unsigned loops) {
    if (body->kind == StmtKind::Window)
      return isCopied(body->children[0], loops);
    if (body->kind == StmtKind::Block)
      return body->children.size() == 1 && isCopied(body->children[0], loops);
    if (body->kind == StmtKind::For)
      return loops > 0 && isCopied(body->children[2], loops - 1);
    return loops == 0 && body->kind == StmtKind::Assign && body->op == "=" &&
           body->value->kind == ExprKind::Index;
  }

  /// Whether it is a part of the caller's container, as wide as high, of a size that nothing else
  /// depends on.
  bool isSquare(const Stmt &s) {
    const std::vector<WindowDimension> &dims = s.window->dims;
    const Tunable *size = dims.size() == 2 ? open(dims[0]) : nullptr;
    return size && size == open(dims[1]) && isGiven(*s.window) && !size->values.empty() &&
           isCopied(s.children[0], 2) &&
           std::ranges::none_of(plan_.constraints, [&](const Constraint &each) {
             return mentions(each.require, size->var.get());
           });
  }

  static bool isBoundAgain(const Stmt &s) {
    bool again = false;
    forEach(s.children[0], [&](const Stmt &each) {
      again |= each.kind == StmtKind::Window && each.window->array == s.window->array;
    });
    return again;
  }

  /// Whether it is a window of the caller's container, and not of results of parts, which are as
  /// many as parts.
  bool isGiven(const ir::Window &window) const {
    const Buffer *buffer = plan_.bufferOf(window.array);
    return buffer && !buffer->access.empty();
  }

  void sizeGroups() {
    for (const auto &[level, count] : plan_.workers) {
      const Count units = plan_.machine->levels[static_cast<std::size_t>(level)].workers.units;
      auto items = std::ranges::find_if(plan_.tunables, [&](const Tunable &t) {
        return count->kind == ExprKind::Var && t.var == count->var;
      });
      if (plan_.role(level) != Role::Item || units == 0 || items == plan_.tunables.end())
        continue;
      set(&*items, units);
      has_.items = units;
    }
  }

  void choose(const Stmt &tile, const Cut &cut, const std::vector<const Stmt *> &around) {
    const auto isOn = [&](const Stmt *each) {
      return each != &tile && each->window->array == tile.window->array &&
             each->window->dims.size() == tile.window->dims.size() && isTile(*each, cut);
    };
    const Count size = byteSize(tile.window->array->type.scalar) * besides(tile, cut);
    auto [rows, columns] = has_.registerTile(size, tilesBeside(tile, around));
    if (sumsNarrow(tile)) {
      rows = 4;
      columns = powerBelow(std::max<Count>(has_.registers * 3 / 4 / (has_.lanes * size * rows), 1));
    }
    if (rows == 0)
      return;
    const auto found = std::ranges::find_if(around, isOn);
    const Stmt *group = found == around.end() ? nullptr : *found; // the outermost window
    if (!group && plan_.target->itemsAreLoops && has_.lanes > 1) {
      setWithoutDomain(open(tile.window->dims[cut[0]]), rows);
      setWithoutDomain(open(tile.window->dims[cut[1]]), columns);
    }
    if (!group || sameBounds(*group, tile, cut))
      return;
    for (const Stmt *each : around) {
      if (each != group && isOn(each))
        setTile(*each, cut, rows, columns);
    }
    setTile(tile, cut, rows, columns);
    Count groupRows = 0;
    Count groupColumns = 0;
    Count depth = 0;
    if (plan_.target->itemsAreLoops && sumsNarrow(tile)) {
      groupRows = groupColumns = narrowTile;
      setTile(*group, cut, groupRows, groupColumns);
      depth = powerBelow(std::max<Count>(has_.second / 2 / ((groupRows + groupColumns) * 2), 64));
    } else if (plan_.target->itemsAreLoops) {
      depth = powerBelow(std::max<Count>(has_.nearest / (columns * size), 16));
      groupRows = multipleFrom(powerFrom(rows * 8), rows);
      const Count room = std::max<Count>(has_.second, has_.nearest * 8) / 2;
      const Count left = room - std::min(room, groupRows * depth * size);
      groupColumns =
          columns * powerBelow(std::clamp<Count>(left / (depth * size * columns), 1, 16));
      setTile(*group, cut, groupRows, groupColumns);
    } else {
      const Count across = powerBelow(static_cast<Count>(std::max<Count>(has_.items, 1)));
      Count down = 1;
      while (down * down < across)
        down *= 2;
      groupRows = rows * down;
      groupColumns = columns * (across / down);
      setTile(*group, cut, groupRows, groupColumns);
      const Count copied = tile.window->dims.size() == 2
                               ? groupRows + groupColumns
                               : std::max<Count>(copiedWith(*group, cut, around), 1);
      const Count fits = has_.local * 3 / 4 / (byteSize(tile.window->array->type.scalar) * copied);
      const Count underWay = plan_.machine->code.loadsInFlight * across / copied;
      depth = powerBelow(std::max<Count>(std::min(fits, underWay), 1));
    }
    for (const Stmt *each : around)
      set(depthOf(*each, *group, cut), depth);
  }

  /// Whether each of its elements is a vector of sums by pairs
  /// (codegen/analysis/narrow_products.h).
  bool sumsNarrow(const Stmt &tile) const {
    return sumsNarrowProducts(plan_, tile.children[0], tile.window->array.get());
  }

  void setTile(const Stmt &tile, const Cut &cut, Count rows, Count columns) {
    set(open(tile.window->dims[cut[0]]), rows);
    set(open(tile.window->dims[cut[1]]), columns);
  }

  /// Elements along the other dimensions, in the order of which one each where they are open.
  Count besides(const Stmt &tile, const Cut &cut) {
    Count elements = 1;
    for (std::size_t d = 0; d < tile.window->dims.size(); ++d) {
      if (d == cut[0] || d == cut[1])
        continue;
      set(open(tile.window->dims[d]), 1);
      elements *= valueOf(tile.window->dims[d].bound);
    }
    return elements;
  }

  /// `e` where tunables have their defaults, as far as these are numbers; else 1.
  Count valueOf(const ExprPtr &e) const {
    return static_cast<Count>(std::max<std::int64_t>(defaultValue(plan_, e).value_or(1), 1));
  }

  /// Elements of a group's inputs for each step in depth of one.
  Count copiedWith(const Stmt &group, const Cut &cut, const std::vector<const Stmt *> &around) {
    Count elements = 0;
    std::set<const Var *> inputs;
    for (const Stmt *each : around) {
      const Tunable *depth = depthOf(*each, group, cut);
      if (!depth || !inputs.insert(each->window->array.get()).second)
        continue;
      Count one = 1;
      for (const WindowDimension &d : each->window->dims)
        one *= open(d) == depth ? 1 : valueOf(d.bound);
      elements += one;
    }
    return elements;
  }

  static bool sameBounds(const Stmt &a, const Stmt &b, const Cut &cut) {
    return std::ranges::any_of(cut, [&](std::size_t d) {
      return sameExpr(a.window->dims[d].bound, b.window->dims[d].bound);
    });
  }

  /// How many outputs have tiles of this size in the same places, all of which are to be held.
  static Count tilesBeside(const Stmt &tile, const std::vector<const Stmt *> &around) {
    std::set<const Var *> outputs;
    const auto look = [&](const Stmt &s) {
      if (s.kind == StmtKind::Window &&
          std::ranges::equal(s.window->dims, tile.window->dims,
                             [](const WindowDimension &a, const WindowDimension &b) {
                               return sameExpr(a.bound, b.bound);
                             }) &&
          useOf(s.children[0], s.window->array.get()).writes)
        outputs.insert(s.window->array.get());
    };
    for (const Stmt *each : around)
      look(*each);
    forEach(tile.children[0], look);
    return std::max<Count>(outputs.size(), 1);
  }

  /// The open size of an input of a step that is not one of the group's tile, which another one of
  /// its sizes is, or comes to with a halo; null: there is none.
  Tunable *depthOf(const Stmt &s, const Stmt &group, const Cut &cut) {
    const std::vector<WindowDimension> &dims = s.window->dims;
    const std::vector<WindowDimension> &ofGroup = group.window->dims;
    if (s.window->array == group.window->array || dims.size() < 2 ||
        (ofGroup.size() == 2 && dims.size() != 2))
      return nullptr;
    const auto isAlong = [&](const WindowDimension &d, const WindowDimension &ofTile) {
      const Tunable *size = dims.size() > 2 ? open(ofTile) : nullptr;
      return sameExpr(ofTile.bound, d.bound) || (size && mentions(d.bound, size->var.get()));
    };
    const bool shared = std::ranges::any_of(dims, [&](const WindowDimension &d) {
      return isAlong(d, ofGroup[cut[0]]) || isAlong(d, ofGroup[cut[1]]);
    });
    for (const WindowDimension &d : dims) {
      if (shared && open(d) &&
          std::ranges::none_of(ofGroup, [&](const auto &each) { return isAlong(d, each); }))
        return open(d);
    }
    return nullptr;
  }

  LoweredPlan &plan_;
  TileCapacities has_;
  Definitions definitions_;
  std::set<const Var *> items_; ///< their numbers
};

} // namespace

LoweredPlan sizeTiles(LoweredPlan plan) {
  Sizes(plan).run();
  return plan;
}

} // namespace tangram::codegen
