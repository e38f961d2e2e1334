// Scalar replacement of parts: an item reads each of its parts of a container as whole vectors,
// keeps it in registers until it is read again, and writes its results as whole vectors.
//
//   before: parallel part < n { s = 0; for (i < len) s += in[o + i]; sums[part] = s; }
//           parallel part < n { x = starts[part]; for (i < len) { x += in[o + i]; out[o + i] = x; } }
//   after:  if (all of the tile is there)
//             for (turn < T) { held[turn * E ..] = in[o ..]; for (i < E) s += held[turn * E + i]; ... }
//           else for (part = item; part < n; part += N) before
//           if (all of the tile is there)
//             for (turn < T) { ...; for (i < E) kept[i] = x += held[turn * E + i]; out[o ..] = kept; }
//           else for (part = item; part < n; part += N) before
//
// E, the size of a part, is known when the kernel is compiled, and so are N, how many items a group
// has, and T, how many parts an item takes at most: loops are unrolled, so that `held` and `kept`
// are registers, and the loads of all turns are in flight together. The parts of neighbouring items
// are neighbours, so that the vectors of all of them are one piece of memory. Where it is not known
// that a tile of the group is cut into these parts, each part is looked at for itself.
#include "algebra/bounds.h"
#include "algebra/simplify.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr unsigned completely = 64;   ///< rounds of loops over parts that are unrolled
constexpr std::int64_t mostHeld = 64; ///< elements of one part

VarPtr localArray(const std::string &name, Scalar type, const ExprPtr &extent) {
  auto v = std::make_shared<Var>(*newVariable(name, type));
  v->extent = simplify(extent);
  return v;
}

/// A loop over a part.
StmtPtr counting(const VarPtr &i, const ExprPtr &count, StmtPtr body, unsigned lanes = 0) {
  return unrolledLoop(countingLoop(i, count, block({std::move(body)})), completely, lanes);
}

/// A window of an item whose elements one loop after the other counts.
struct Part {
  const Stmt *window;
  ArrayUse use;
  unsigned lanes;
  VarPtr memory = nullptr;     ///< where it is held
  ExprPtr first = nullptr;     ///< in that
  bool isLoadedBefore = false; ///< by another piece

  const Window &of() const { return *window->window; }
  const VarPtr &array() const { return of().array; }
  const ExprPtr &size() const { return of().dims[0].bound; }
  const ExprPtr &extent() const { return of().dims[0].extent; }

  ExprPtr held(const ExprPtr &i) const { return index(varRef(memory), {simplify(add(first, i))}); }

  ExprPtr element(const ExprPtr &i) const {
    std::vector<ExprPtr> subscripts = of().origin;
    subscripts.back() = add(subscripts.back(), i);
    return index(varRef(array()), subscripts);
  }

  /// All elements are read from the container.
  StmtPtr load() const {
    const VarPtr i = newVariable("i");
    return counting(i, size(), assign(held(varRef(i)), "=", element(varRef(i))), lanes);
  }
  /// All elements are written to the container.
  StmtPtr store() const {
    const VarPtr i = newVariable("i");
    return counting(i, size(), assign(element(varRef(i)), "=", held(varRef(i))), lanes);
  }
};

/// A piece of code in which the items of a group go over parts of containers.
struct Piece {
  const Stmt *items;   ///< the Parallel
  const Stmt *codelet; ///< the innermost of the windows around its body
  std::vector<Part> parts;
  bool inTurns = false; ///< it is to go by turns that are counted
  ExprPtr full =
      nullptr; ///< whether all items have as many parts, and these are whole; null: unknown
};

class PartFinder {
public:
  explicit PartFinder(const LoweredPlan &plan) : plan_(plan) {}

  /// Those of `items`, a Parallel, that can be held; their codelet gets nothing else it could not
  /// tell apart from them.
  std::optional<Piece> run(const Stmt &items) const {
    const Stmt *window = nullptr;
    unsigned outermost = 0;
    forEach(items.children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Window && !isInside(s, window)) {
        window = window ? window : &s;
        ++outermost;
      }
    });
    if (outermost != 1 || isInLoop(items.children[0], window))
      return std::nullopt;
    Piece piece{&items, window, {}};
    std::vector<const Stmt *> windows{window};
    while (piece.codelet->children[0]->kind == StmtKind::Window) {
      piece.codelet = piece.codelet->children[0].get();
      windows.push_back(piece.codelet);
    }
    bool nested = false;
    forEach(piece.codelet->children[0], [&](const Stmt &s) {
      nested |= s.kind == StmtKind::Window || s.kind == StmtKind::Parallel;
    });
    if (nested)
      return std::nullopt;
    for (const Stmt *each : windows) {
      const bool again = std::ranges::count_if(windows, [&](const Stmt *other) {
                           return other->window->array == each->window->array;
                         }) > 1;
      if (again)
        continue;
      if (auto part = partOf(*each, windows, piece.codelet->children[0]))
        piece.parts.push_back(std::move(*part));
    }
    // Parts of different sizes would not be full together.
    std::erase_if(piece.parts,
                  [&](const Part &p) { return !sameExpr(p.size(), piece.parts.front().size()); });
    return piece.parts.empty() ? std::nullopt : std::optional(piece);
  }

private:
  static bool isInside(const Stmt &s, const Stmt *window) {
    bool found = false;
    if (window)
      forEach(window->children[0], [&](const Stmt &each) { found |= &each == &s; });
    return found;
  }

  static bool isInLoop(const StmtPtr &body, const Stmt *window) {
    bool found = false;
    forEach(body, [&](const Stmt &s) {
      const bool repeats = isLoop(s) || s.kind == StmtKind::Parallel;
      for (const StmtPtr &child : repeats ? s.children : std::vector<StmtPtr>{})
        forEach(child, [&](const Stmt &each) { found |= &each == window; });
    });
    return found;
  }

  /// How many elements of `size` a vector has, whatever tunables are; 0: it is not made of vectors.
  unsigned lanesOf(const ExprPtr &size, Scalar element) const {
    const auto lanes = vectorBytes / static_cast<std::int64_t>(byteSize(element));
    auto fits = [&](std::int64_t n) { return n > 0 && n <= mostHeld && n % lanes == 0; };
    if (const auto known = literalValue(size))
      return lanes > 1 && fits(*known) ? static_cast<unsigned>(lanes) : 0;
    const Tunable *tunable = size->kind == ExprKind::Var ? plan_.tunableOf(size->var) : nullptr;
    const bool all = tunable && tunable->kind == Tunable::Kind::Compile &&
                     !tunable->values.empty() && std::ranges::all_of(tunable->values, fits);
    return lanes > 1 && all ? static_cast<unsigned>(lanes) : 0;
  }

  std::optional<Part> partOf(const Stmt &s, const std::vector<const Stmt *> &windows,
                             const StmtPtr &body) const {
    const Window &w = *s.window;
    const Buffer *buffer = plan_.bufferOf(w.array);
    if (!buffer || buffer->space != Space::Global || w.dims.size() != 1 ||
        w.dims[0].of + 1 != w.origin.size() || !isLiteral(w.dims[0].step, 1))
      return std::nullopt;
    Part part{&s, useOf(body, w.array.get()), lanesOf(w.dims[0].bound, w.array->type.scalar)};
    if (part.lanes == 0 || part.use.atomic || (part.use.reads && part.use.writes))
      return std::nullopt;
    for (const WindowAccess &access : accessesTo(body, w.array.get())) {
      const auto position =
          positionIn(w, {access.element->args.begin() + 1, access.element->args.end()});
      if (!position || position->front()->kind != ExprKind::Var || access.around.size() != 1 ||
          counterOf(*access.around[0]) != position->front()->var)
        return std::nullopt;
      const ExprPtr &end = access.around[0]->value->args[1];
      const bool whole = std::ranges::any_of(windows, [&](const Stmt *each) {
        const WindowDimension &d = each->window->dims[0];
        return each->window->dims.size() == 1 && sameExpr(d.extent, end) &&
               sameExpr(d.bound, w.dims[0].bound);
      });
      if (!whole || (part.use.writes && !isAlwaysDone(*access.around[0], body, *access.element)))
        return std::nullopt;
    }
    return part;
  }

  /// Whether every round of the loop, which every item runs, assigns the element.
  static bool isAlwaysDone(const Stmt &loop, const StmtPtr &body, const Expr &element) {
    auto standsIn = [](const StmtPtr &where, const auto &is) {
      if (where->kind != StmtKind::Block)
        return is(*where);
      return std::ranges::any_of(where->children, [&](const StmtPtr &each) { return is(*each); });
    };
    bool leaves = false;
    forEach(body, [&](const Stmt &s) {
      leaves |=
          s.kind == StmtKind::Break || s.kind == StmtKind::Continue || s.kind == StmtKind::Return;
    });
    return !leaves && standsIn(body, [&](const Stmt &s) { return &s == &loop; }) &&
           standsIn(loop.children[2], [&](const Stmt &s) {
             return s.kind == StmtKind::Assign && s.op == "=" && s.target.get() == &element;
           });
  }

  const LoweredPlan &plan_;
};

class Holding {
public:
  explicit Holding(LoweredPlan &plan) : plan_(plan), constants_(constantsOf(plan.body)) {
    forEach(plan_.body, [&](const Stmt &s) {
      if (const Var *array = arrayChangedBy(s))
        written_.insert(array);
      if (s.kind == StmtKind::Window && s.window->dims.size() == 1 &&
          s.window->dims[0].extent->kind == ExprKind::Var)
        bounds_.emplace_back(s.window->dims[0].extent->var, s.window->dims[0].bound);
    });
    forEachExpr(plan_.body, [&](const Expr &e) {
      if (e.kind == ExprKind::Atomic)
        written_.insert(e.args[0]->args[0]->var.get());
    });
  }

  StmtPtr run(const StmtPtr &s, bool inGroup = false) {
    if (!s)
      return s;
    inGroup |= s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Group;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child, inGroup));
    const StmtPtr now = withChildren(s, std::move(children));
    return inGroup && now->kind == StmtKind::Block ? inOrder(now) : now;
  }

private:
  /// The pieces that stand in one block.
  StmtPtr inOrder(const StmtPtr &s) {
    std::vector<Piece> pieces;
    for (const StmtPtr &child : s->children) {
      if (child->kind != StmtKind::Parallel || plan_.role(child->level) != Role::Item ||
          !child->var || child->span == Span::One)
        continue;
      if (auto piece = PartFinder(plan_).run(*child)) {
        for (Part &part : piece->parts) {
          if (!beginsAtVector(part))
            part.lanes = 0;
        }
        piece->full = isCutWhole(*piece);
        pieces.push_back(std::move(*piece));
      }
    }
    if (pieces.empty())
      return s;
    std::map<const Stmt *, std::vector<StmtPtr>> before;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      for (Part &part : pieces[i].parts) {
        if (!part.memory)
          place(part, pieces, i, before[pieces[i].items]);
      }
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children) {
      const auto piece =
          std::ranges::find_if(pieces, [&](const Piece &p) { return p.items == child.get(); });
      if (piece == pieces.end()) {
        children.push_back(child);
        continue;
      }
      const std::vector<StmtPtr> &own = before[piece->items];
      children.insert(children.end(), own.begin(), own.end());
      children.push_back(held(*piece));
    }
    return withChildren(s, std::move(children));
  }

  /// Where a part is held: until its last reader, or for its own piece alone.
  void place(Part &part, std::vector<Piece> &pieces, std::size_t at, std::vector<StmtPtr> &before) {
    const ExprPtr turns = turnsOf(*pieces[at].items);
    std::vector<std::pair<Piece *, Part *>> readers;
    if (turns && !part.use.writes && !written_.contains(part.array().get())) {
      for (std::size_t i = at + 1; i < pieces.size(); ++i) {
        for (Part &other : pieces[i].parts) {
          if (!other.memory && isSame(pieces[at], part, pieces[i], other))
            readers.emplace_back(&pieces[i], &other);
        }
      }
    }
    const std::string name = part.window->var->name;
    const Scalar type = part.array()->type.scalar;
    part.first = intLiteral(0);
    if (readers.empty()) {
      part.memory = localArray(name + (part.use.writes ? "_kept" : "_held"), type, part.size());
      return;
    }
    const VarPtr memory = localArray(name + "_held", type, mul(turns, part.size()));
    before.push_back(declare(memory, nullptr));
    part.memory = memory;
    pieces[at].inTurns = true;
    for (auto &[piece, reader] : readers) {
      piece->inTurns = true;
      reader->memory = memory;
      reader->first = intLiteral(0);
      reader->isLoadedBefore = true;
    }
    heldAcross_.insert(memory.get());
  }

  /// How many parts an item takes at most, known when the kernel is compiled; null: that is not
  /// known.
  ExprPtr turnsOf(const Stmt &items) const {
    std::vector<VarPtr> positive;
    for (const Tunable &t : plan_.tunables) {
      if (t.kind == Tunable::Kind::Compile && t.min >= 1)
        positive.push_back(t.var);
    }
    auto isKnown = [&](const Expr &e) {
      const Tunable *t = plan_.tunableOf(e.var);
      return t && t->kind == Tunable::Kind::Compile;
    };
    auto most = [&](const VarPtr &v) -> ExprPtr {
      for (const auto &[extent, bound] : bounds_) {
        if (extent == v)
          return bound;
      }
      auto value = constants_.find(v.get());
      return value == constants_.end() ? nullptr : value->second;
    };
    const auto workers = plan_.workers.find(items.level);
    const ExprPtr count = upperBoundOver(items.value, isKnown, most, positive);
    return count && workers != plan_.workers.end()
               ? simplify(ceilDiv(count, workers->second), {.proofs = plan_.proofs})
               : nullptr;
  }

  /// Whether the part begins where a vector may in memory: rows have any length.
  bool beginsAtVector(const Part &part) const {
    return std::ranges::all_of(part.of().origin,
                               [&](const ExprPtr &each) { return isMultiple(each, part.lanes); });
  }

  /// Whether `e` is a multiple of `n` whatever sizes are.
  bool isMultiple(const ExprPtr &e, std::int64_t n) const {
    if (n == 0)
      return false;
    if (const auto known = literalValue(e))
      return *known % n == 0;
    if (e->kind == ExprKind::Cast)
      return isMultiple(e->args[0], n);
    if (e->kind == ExprKind::Binary && e->op == "+")
      return isMultiple(e->args[0], n) && isMultiple(e->args[1], n);
    if (e->kind == ExprKind::Binary && e->op == "*")
      return isMultiple(e->args[0], n) || isMultiple(e->args[1], n);
    if (e->kind != ExprKind::Var)
      return false;
    if (auto constant = constants_.find(e->var.get()); constant != constants_.end())
      return isMultiple(constant->second, n);
    const Tunable *tunable = plan_.tunableOf(e->var);
    return tunable && tunable->kind == Tunable::Kind::Compile && !tunable->values.empty() &&
           std::ranges::all_of(tunable->values, [&](std::int64_t each) { return each % n == 0; });
  }

  /// The condition under which a tile of the group is cut into whole parts, equally many for every
  /// item: all of the tile is there. Null where the parts are not known to be those of a tile.
  ExprPtr isCutWhole(const Piece &piece) const {
    const Stmt &items = *piece.items;
    const auto workers = plan_.workers.find(items.level);
    if (workers == plan_.workers.end())
      return nullptr;
    const ExprPtr &size = piece.parts.front().size();
    for (const auto &[extent, bound] : bounds_) {
      const ExprPtr tile = varRef(extent);
      if (!sameExpr(simplify(items.value, {.proofs = plan_.proofs}),
                    simplify(ceilDiv(tile, size), {.proofs = plan_.proofs})))
        continue;
      const ExprPtr first = mul(varRef(items.var), size);
      const ExprPtr own = meaning(sub(maxOf(minOf(add(size, first), tile), first), first), piece);
      const bool cut = std::ranges::all_of(
          piece.parts, [&](const Part &p) { return sameExpr(meaning(p.extent(), piece), own); });
      if (cut)
        return binary("&&", binary("==", tile, bound),
                      binary("==", binary("%", bound, mul(size, workers->second)), intLiteral(0)));
    }
    return nullptr;
  }

  /// Whether every item reads the same part in both pieces.
  bool isSame(const Piece &a, const Part &x, const Piece &b, const Part &y) const {
    if (y.use.writes || x.array() != y.array() || !sameExpr(x.size(), y.size()) ||
        a.items->level != b.items->level || !a.full != !b.full ||
        (a.full && !sameExpr(a.full, b.full)) ||
        !sameExpr(meaning(a.items->value, a), meaning(b.items->value, a)) ||
        x.of().origin.size() != y.of().origin.size() || !turnsOf(*b.items))
      return false;
    bool same = sameExpr(meaning(x.extent(), a), meaning(y.extent(), b, &a));
    for (std::size_t d = 0; d < x.of().origin.size(); ++d)
      same &= sameExpr(meaning(x.of().origin[d], a), meaning(y.of().origin[d], b, &a));
    return same;
  }

  /// `e` with names of constants written out, and the number of the item of `as` for that of
  /// `piece`.
  ExprPtr meaning(const ExprPtr &e, const Piece &piece, const Piece *as = nullptr) const {
    const ExprPtr out = rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind != ExprKind::Var)
        return each;
      if (as && each->var == piece.items->var)
        return varRef(as->items->var);
      auto constant = constants_.find(each->var.get());
      const bool fixed =
          constant != constants_.end() && !contains(constant->second, [](const Expr &inner) {
            return inner.kind == ExprKind::Index || inner.kind == ExprKind::Atomic;
          });
      return fixed ? meaning(constant->second, piece, as) : each;
    });
    return simplify(out, {.proofs = plan_.proofs});
  }

  StmtPtr held(Piece &piece) {
    const Stmt &items = *piece.items;
    const VarPtr turn = newVariable("turn");
    for (Part &part : piece.parts) {
      if (heldAcross_.contains(part.memory.get()))
        part.first = mul(varRef(turn), part.size());
    }
    const bool always = piece.full != nullptr;
    const StmtPtr body = rewrite(items.children[0], [&](const StmtPtr &each) -> StmtPtr {
      return each.get() == piece.codelet ? withChildren(each, {whole(piece, always)}) : each;
    });
    if (!piece.inTurns && !always)
      return withChildren(std::make_shared<Stmt>(items), {body});
    const VarPtr lane = std::make_shared<Var>(*items.var);
    const VarPtr part = newVariable("part");
    const ExprPtr workers = plan_.workers.at(items.level);
    StmtPtr mine = withOwnVariables(substitute(body, {{items.var.get(), varRef(part)}}));
    if (!always)
      mine = ifThen(binary("<", varRef(part), items.value), mine);
    StmtPtr turns =
        counting(turn, turnsOf(items),
                 block({declare(part, add(mul(varRef(turn), workers), varRef(lane))), mine}));
    if (always) {
      const VarPtr any = newVariable("part");
      const StmtPtr others = substitute(items.children[0], {{items.var.get(), varRef(any)}});
      turns =
          ifThen(piece.full, block({turns}),
                 block({forLoop(declare(any, varRef(lane)), binary("<", varRef(any), items.value),
                                assign(varRef(any), "+=", workers), others)}));
    }
    return parallel(items.level, Span::All, lane, workers, block({turns}), items.location);
  }

  /// The body of the codelet with its parts in registers where they are whole, and as it was
  /// elsewhere.
  static StmtPtr whole(const Piece &piece, bool always) {
    const StmtPtr &body = piece.codelet->children[0];
    std::vector<StmtPtr> statements;
    ExprPtr full;
    for (const Part &part : piece.parts) {
      const ExprPtr fits = binary("==", part.extent(), part.size());
      if (!full || !sameExpr(full, fits))
        full = full ? binary("&&", full, fits) : fits;
      if (isOwn(piece, part))
        statements.push_back(declare(part.memory, nullptr));
    }
    for (const Part &part : piece.parts) {
      if (part.use.reads && !part.isLoadedBefore)
        statements.push_back(part.load());
    }
    StmtPtr changed = rewrite(body, [&](const StmtPtr &each) -> StmtPtr {
      const VarPtr number = counterOf(*each);
      if (!number)
        return each;
      for (const Part &part : piece.parts) {
        if (!sameExpr(each->value->args[1], part.extent()))
          continue;
        auto loop = std::make_shared<Stmt>(*each);
        loop->value = binary("<", varRef(number), part.size());
        loop->unroll = completely;
        return loop;
      }
      return each;
    });
    changed = mapExprs(changed, [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        for (const Part &part : piece.parts) {
          if (e->kind == ExprKind::Index && e->args[0]->var == part.array())
            return part.held(positionIn(part.of(), {e->args.begin() + 1, e->args.end()})->front());
        }
        return e;
      });
    });
    statements.push_back(withOwnVariables(changed));
    for (const Part &part : piece.parts) {
      if (part.use.writes)
        statements.push_back(part.store());
    }
    const StmtPtr held = block(std::move(statements));
    return always ? held : ifThen(full, held, body);
  }

  static bool isOwn(const Piece &piece, const Part &part) {
    return !piece.inTurns || (!part.isLoadedBefore && isLiteral(part.first, 0));
  }

  LoweredPlan &plan_;
  std::set<const Var *> written_;
  std::set<const Var *> heldAcross_;
  std::vector<std::pair<VarPtr, ExprPtr>> bounds_; ///< of extents of windows, known when compiled
  std::map<const Var *, ExprPtr> constants_;       ///< names: what they stand for
};

} // namespace

LoweredPlan replacePartsByScalars(LoweredPlan plan) {
  if (!plan.target->itemsAreLoops)
    plan.body = Holding(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
