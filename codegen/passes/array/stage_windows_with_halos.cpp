// Staging of tiles with halos: where the items of a group read overlapping parts of a window of a
// padded array, all items of the group copy the window into an array of the group, neighbours from
// neighbouring addresses (codegen/analysis/copies.h).
//
//   before:  items { for (j = item; j < n; j += items) out[j] = p[start + j] + p[start + j + 2]; }
//   after:   items, in turns: element < N + 2 { tile[element] = p[start + element]; }
//            items { for (j = item; j < n; j += items) out[j] = tile[j] + tile[j + 2]; }
//
// The copy decides which elements are past the ends, so that reads of the tile compare nothing. It
// fills all of the tile: every subscript of a padded dimension has an element, so that a smaller
// tile needs no comparison with its end either. Where neighbours read elements below each other,
// rows of the tile lie an odd number of elements apart; where a warp takes several rows, each side
// by side, they lie so that its items use different banks (codegen/analysis/bank_conflicts.h).
// Where groups have a cache (the model says how fast), a tile is worth a copy only if it saves more
// than the copy costs: an access of neighbours that does not begin with a line of the cache reads
// two of its lines, and one row of banks. Tiles that chains of instructions are unrolled over stay
// where they are: PoCL 3.1 crashes in such a kernel of codelets/nine.cpp, in which the interpreter
// and Oclgrind find nothing. Source: overlapped tiles, ../shared/notes/stencils-and-views.md 1.2
// and 1.4.
#include "algebra/simplify.h"
#include "codegen/analysis/bank_conflicts.h"
#include "codegen/analysis/copies.h"
#include "codegen/analysis/definitions.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/analysis/tunable_ranges.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// A position along one dimension: what changes, and a number.
struct Along {
  std::vector<ExprPtr> summands;
  std::int64_t constant = 0;

  explicit Along(const ExprPtr &position) { add(position); }

  bool operator==(const Along &other) const {
    return constant == other.constant && runsWith(other);
  }
  bool runsWith(const Along &other) const {
    return std::ranges::is_permutation(summands, other.summands, sameExpr);
  }

private:
  void add(const ExprPtr &e) {
    if (e->kind == ExprKind::Cast && isInteger(e->args[0]->type.scalar))
      return add(e->args[0]);
    if (e->kind == ExprKind::Binary && e->op == "+") {
      add(e->args[0]);
      return add(e->args[1]);
    }
    if (const auto value = literalValue(e))
      constant += *value;
    else
      summands.push_back(e);
  }
};

/// A position along all dimensions, in the order of the array's.
using Position = std::vector<Along>;

constexpr double copyOperations = 6; ///< to find an element's place in the array and in its copy

class Halos {
public:
  explicit Halos(LoweredPlan &plan) : plan_(plan), definitions_(plan.body) {
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Allocate)
        owners_[s.var.get()] = plan.role(s.array->owner);
    });
  }

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    const bool group = s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Group;
    const Stmt *outer = group_;
    if (group && !group_)
      group_ = s.get();
    StmtPtr now = s;
    if (s->kind == StmtKind::Window && isWorthIt(*s)) {
      now = staged(*s);
      copied_ += leastBytes(plan_, *s->window);
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : now->children)
      children.push_back(run(child));
    group_ = outer;
    return withChildren(now, std::move(children));
  }

private:
  bool isWorthIt(const Stmt &s) const {
    const Window &w = *s.window;
    const auto padded = plan_.padded.find(w.array);
    if (!group_ || padded == plan_.padded.end() || plan_.role(s.level) != Role::Group ||
        itemsOfGroup(plan_, s.level).empty() || hasWorkers(plan_, s.children[0], Role::Unroll) ||
        hasTileOfItsOwn(s) || !isShared(padded->second.array))
      return false;
    // An element that another group writes must not be read earlier than the code does.
    const ArrayUse use = useOf(group_->children[0], padded->second.array.get());
    if (use.writes || use.atomic)
      return false;
    std::vector<Position> all;
    bool overlap = false, several = false, rows = true;
    for (const WindowAccess &access : accessesTo(s.children[0], w.array.get())) {
      const auto position = positionOf(w, *access.element);
      if (!position || !isByItems(access))
        return false;
      Position along;
      for (const std::size_t d : orderOf(w))
        along.emplace_back((*position)[d]);
      for (std::size_t d = 0; d < along.size(); ++d)
        several |= goesOverSeveral(along[d], access);
      overlap |= std::ranges::any_of(
          all, [&](const Position &other) { return areNeighbours(along, other, access); });
      rows &= isOfItems(along.back().summands, access);
      all.push_back(std::move(along));
    }
    const bool isCached = !several && rows && cachesAsWell(s, all);
    return (overlap || several) && !isCached &&
           copied_ + leastBytes(plan_, w) <= bytesOfLocalMemory(plan_);
  }

  /// Whether items read the elements at `all` from a cache of their group in no more time than from
  /// a copy.
  bool cachesAsWell(const Stmt &s, const std::vector<Position> &all) const {
    const composer::Level &level = plan_.machine->levels[static_cast<std::size_t>(s.level)];
    const composer::Costs &costs = plan_.machine->costs;
    const composer::Memory *cache = level.memoryNamed("cache");
    const Banks banks = banksOf(plan_, s.level);
    const double bytes = costs.lanes * byteSize(s.window->array->type.scalar);
    if (!cache || !banks || cache->bytesPerSecond == 0 || cache->lineBytes == 0)
      return false;
    const double line =
        cache->lineBytes * costs.cyclesPerSecond / static_cast<double>(cache->bytesPerSecond);
    const double store = bytes / static_cast<double>(banks.count * banks.wordBytes);
    const double places = copyOperations * costs.lanes / costs.operationsPerCycle;
    return shifted(all) * line <= 2 * line + store + places;
  }

  /// The number of elements of an item whose neighbours' elements do not begin with a line. Among
  /// positions that differ by numbers alone, those of the column with the most of them begin with
  /// one.
  static double shifted(std::vector<Position> all) {
    std::size_t count = 0;
    while (!all.empty()) {
      const Position first = all.front();
      std::map<std::int64_t, std::vector<Position>> columns;
      std::erase_if(all, [&](const Position &each) {
        const bool runs = std::ranges::equal(
            each, first, [](const Along &a, const Along &b) { return a.runsWith(b); });
        if (!runs)
          return false;
        std::vector<Position> &column = columns[each.back().constant];
        if (std::ranges::find(column, each) == column.end())
          column.push_back(each);
        return true;
      });
      std::size_t most = 0;
      for (const auto &[_, column] : columns) {
        count += column.size();
        most = std::max(most, column.size());
      }
      count -= most;
    }
    return static_cast<double>(count);
  }

  /// The least value of what grows with tunables; 1 where it is no number.
  std::int64_t leastOf(const ExprPtr &bound) const {
    return std::max<std::int64_t>(1, leastValue(plan_, bound).value_or(1));
  }

  /// Whether groups read it from memory that they share.
  bool isShared(const VarPtr &array) const {
    if (const Buffer *buffer = plan_.bufferOf(array))
      return buffer->space == Space::Global;
    const auto owner = owners_.find(array.get());
    return owner != owners_.end() && owner->second == Role::Host;
  }

  /// Whether the window is cut into tiles, of which each is copied when its turn comes.
  static bool hasTileOfItsOwn(const Stmt &s) {
    bool found = false;
    forEach(s.children[0], [&](const Stmt &inner) {
      found |= inner.kind == StmtKind::Window && inner.level == s.level &&
               inner.window->array == s.window->array &&
               inner.window->dims.size() == s.window->dims.size() &&
               !std::ranges::equal(inner.window->dims, s.window->dims,
                                   [](const WindowDimension &a, const WindowDimension &b) {
                                     return sameExpr(a.bound, b.bound);
                                   });
    });
    return found;
  }

  bool isByItems(const WindowAccess &access) const {
    return std::ranges::any_of(access.around, [&](const Stmt *each) {
      return each->kind == StmtKind::Parallel && plan_.role(each->level) == Role::Item;
    });
  }

  static std::optional<std::vector<ExprPtr>> positionOf(const Window &w, const Expr &element) {
    return positionIn(w, {element.args.begin() + 1, element.args.end()});
  }

  /// Whether the numbers of items around the access decide about one of `expressions`.
  bool isOfItems(const std::vector<ExprPtr> &expressions, const WindowAccess &access) const {
    std::set<const Var *> items;
    for (const Stmt *each : access.around) {
      if (each->kind == StmtKind::Parallel && plan_.role(each->level) == Role::Item)
        items.insert(each->var.get());
    }
    return definitions_.anyPart(expressions,
                                [&](const Expr &e) { return items.contains(e.var.get()); });
  }

  /// Whether each item goes from its place over several elements, so that neighbours meet there.
  bool goesOverSeveral(const Along &along, const WindowAccess &access) const {
    return std::ranges::any_of(along.summands, [&](const ExprPtr &number) {
      const bool counts = std::ranges::any_of(access.around, [&](const Stmt *each) {
        return each->kind == StmtKind::For && counterOf(*each) && number->kind == ExprKind::Var &&
               counterOf(*each) == number->var;
      });
      if (!counts || isOfItems({number}, access))
        return false;
      std::vector<ExprPtr> others = along.summands;
      std::erase(others, number);
      return isOfItems(others, access);
    });
  }

  /// Whether two accesses of one item differ by a number along a dimension that items share.
  bool areNeighbours(const Position &a, const Position &b, const WindowAccess &access) const {
    bool differ = false;
    for (std::size_t d = 0; d < a.size(); ++d) {
      if (!a[d].runsWith(b[d]))
        return false;
      differ |= a[d].constant != b[d].constant && isOfItems(a[d].summands, access);
    }
    return differ;
  }

  /// The window's dimensions in the order of the array's.
  static std::vector<std::size_t> orderOf(const Window &w) {
    std::vector<std::size_t> order(w.dims.size());
    for (std::size_t d = 0; d < order.size(); ++d)
      order[d] = d;
    std::ranges::sort(order, {}, [&](std::size_t d) { return w.dims[d].of; });
    return order;
  }

  /// A part of a position that follows from an item's number: `number / of` or `number % of`, times
  /// `times`.
  struct Turn {
    ExprPtr number;
    ExprPtr of;
    std::int64_t times = 1;
  };

  /// The only part of `e` that differs by items, if it is `number op of` or a multiple of that.
  std::optional<Turn> turnOf(const ExprPtr &e, Operator op, const WindowAccess &access) const {
    if (e->kind == ExprKind::Cast)
      return turnOf(e->args[0], op, access);
    if (const ExprPtr value = definitions_.of(*e))
      return turnOf(value, op, access);
    if (e->kind != ExprKind::Binary)
      return std::nullopt;
    const bool first = isOfItems({e->args[0]}, access), second = isOfItems({e->args[1]}, access);
    if (first == second)
      return std::nullopt;
    if (e->op == op && first)
      return Turn{e->args[0], e->args[1]};
    const ExprPtr &other = e->args[first ? 1 : 0];
    if (e->op != "+" && !(e->op == "*" && literalValue(other)))
      return std::nullopt;
    std::optional<Turn> turn = turnOf(e->args[first ? 0 : 1], op, access);
    if (turn && e->op == "*")
      turn->times *= *literalValue(other);
    return turn;
  }

  /// The most that a number of elements may be, over tunables; null where that is not known.
  ExprPtr mostOf(const ExprPtr &e) const {
    if (isCompileTime(plan_, e))
      return e;
    if (e->kind == ExprKind::Cast)
      return mostOf(e->args[0]);
    if (e->kind == ExprKind::Call && e->callee == "min") {
      const ExprPtr first = mostOf(e->args[0]);
      return first ? first : mostOf(e->args[1]);
    }
    if (e->kind == ExprKind::Binary && e->op == "-")
      return mostOfPart(e->args[0], e->args[1]);
    const ExprPtr value = definitions_.of(*e);
    return value ? mostOf(value) : nullptr;
  }

  /// The most that `end - start` may be, if `end` is max(min(its end, ...), start).
  ExprPtr mostOfPart(const ExprPtr &end, const ExprPtr &start) const {
    const auto isCall = [](const ExprPtr &e, const char *name) {
      return e->kind == ExprKind::Call && e->callee == name;
    };
    if (!isCall(end, "max") || !isCall(end->args[0], "min") || !sameExpr(end->args[1], start))
      return nullptr;
    const ExprPtr value = definitions_.of(*start);
    const ExprPtr most = difference(end->args[0]->args[0], value ? value : start);
    return most && isCompileTime(plan_, most) ? most : nullptr;
  }

  /// Where items take elements in turns, so many of a row side by side; null where they do not.
  ExprPtr pitchOfTurns(const Stmt &s, const ExprPtr &extent, const ExprPtr &row,
                       const ExprPtr &column, const WindowAccess &access) const {
    const std::optional<Turn> across = turnOf(row, "/", access),
                              along = turnOf(column, "%", access);
    if (!across || !along || along->times != 1 || !sameExpr(across->number, along->number) ||
        !sameExpr(across->of, along->of))
      return nullptr;
    const ExprPtr items = mostOf(across->of);
    return items
               ? pitchOfRows(banksOf(plan_, s.level), extent, items, leastOf(items), across->times,
                             static_cast<std::int64_t>(byteSize(s.window->array->type.scalar)))
               : nullptr;
  }

  /// From a row to the next one of a tile of rows of `extent` elements, dimension `last` of the
  /// window.
  ExprPtr pitchOf(const Stmt &s, const ExprPtr &extent, std::size_t last) const {
    if (!banksOf(plan_, s.level))
      return extent;
    ExprPtr pitch;
    for (const WindowAccess &access : accessesTo(s.children[0], s.window->array.get())) {
      std::vector<ExprPtr> others = *positionOf(*s.window, *access.element);
      const ExprPtr column = others[last];
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(last));
      if (!isOfItems(others, access))
        continue;
      const ExprPtr own =
          others.size() == 1 ? pitchOfTurns(s, extent, others[0], column, access) : nullptr;
      if (!own || (pitch && !sameExpr(pitch, own)))
        return simplify(oddMultipleAbove(sub(extent, intLiteral(1)), intLiteral(1)));
      pitch = own;
    }
    return pitch ? pitch : extent;
  }

  StmtPtr staged(const Stmt &s) const {
    const Window &w = *s.window;
    const std::vector<std::size_t> order = orderOf(w);
    const VarPtr copy = newVariable(s.var->name + "_tile", w.array->type.scalar, VarKind::Buffer);
    const auto at = [&](const std::vector<ExprPtr> &position) {
      std::vector<ExprPtr> there;
      for (const std::size_t d : order)
        there.push_back(position[d]);
      return index(varRef(copy), there);
    };
    Window inOrder = w;
    inOrder.dims.clear();
    std::vector<ExprPtr> extents;
    for (const std::size_t d : order) {
      inOrder.dims.push_back(w.dims[d]);
      extents.push_back(w.dims[d].bound);
    }
    if (extents.size() > 1)
      extents.back() = pitchOf(s, extents.back(), order.back());
    const StmtPtr body = mapExprs(s.children[0], [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        return e->kind == ExprKind::Index && e->args[0]->var == w.array ? at(*positionOf(w, *e))
                                                                        : e;
      });
    });
    return block({allocate(copy, {s.level, extents, extents}),
                  copiedBy(s.level, inOrder,
                           [&](const std::vector<ExprPtr> &position) {
                             return index(varRef(copy), position);
                           }),
                  withoutWindows(body, [&](const Window &each) { return each.array == w.array; })});
  }

  LoweredPlan &plan_;
  std::map<const Var *, Role> owners_; ///< of arrays
  Definitions definitions_;
  std::uint64_t copied_ = 0;    ///< bytes, with the least values of tunables
  const Stmt *group_ = nullptr; ///< the groups around the statement at hand
};

} // namespace

LoweredPlan stageHalos(LoweredPlan plan) {
  if (!plan.padded.empty())
    plan.body = Halos(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
