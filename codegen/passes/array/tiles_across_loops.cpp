#include "codegen/passes/array/tiles_across_loops.h"

#include "algebra/bounds.h"
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/tile_finder.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

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

class TilesAcrossLoops {
public:
  TilesAcrossLoops(const LoweredPlan &plan, const UnrolledTiles &updates)
      : plan_(plan), updates_(updates) {}

  StmtPtr run(const StmtPtr &loop) const {
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
      p.tiles.declare(before);
      before.push_back(piece(p, loadsWhereKept(p)));
      after.push_back(piece(p, storesWhereKept(p)));
      kept = rewrite(kept, [&](const StmtPtr &each) -> StmtPtr {
        return each.get() == p.tiles.first().window ? updatedWhereKept(p) : each;
      });
    }
    before.push_back(kept);
    before.insert(before.end(), after.begin(), after.end());
    return block(std::move(before));
  }

private:
  struct Place;

  StmtPtr loadsWhereKept(const Place &p) const {
    return whereKept(p, [](const Tiles &tiles, std::vector<StmtPtr> &to) { tiles.load(to); });
  }
  StmtPtr storesWhereKept(const Place &p) const {
    return whereKept(p, [](const Tiles &tiles, std::vector<StmtPtr> &to) { tiles.store(to); });
  }

  /// The statements of `move` for a worker's tile, whole or at an edge, where each worker has one at most.
  template <typename F> StmtPtr whereKept(const Place &p, const F &move) const {
    std::vector<StmtPtr> whole;
    std::vector<StmtPtr> part;
    move(p.tiles, whole);
    move(p.tiles.asking(), part);
    return ifThen(fitsItems(p),
                  ifThen(p.tiles.first().isFull(), block(std::move(whole)),
                         block({withOwnVariables(block(std::move(part)))})));
  }

  /// The updates in registers, where each worker has one tile at most: a tile at an edge asks at
  /// each of its elements whether it is there.
  StmtPtr updatedWhereKept(const Place &p) const {
    return ifThen(fitsItems(p),
                  block({ifThen(p.tiles.first().isFull(), updates_.bodyOf(p.tiles),
                                p.tiles.asking().inTiles())}),
                  p.tiles.body());
  }

  /// Tiles in a loop of the group.
  struct Place {
    Tiles tiles;
    const Stmt *workers; ///< the Parallel of items that hold them
    /// The statements around them in the loop: constants, branches and the workers.
    std::vector<const Stmt *> way;
  };

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

  /// The expressions of the tiles' origins and extents and of the number of workers.
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

  /// The constants that these and the branches depend on, with the branches and the workers, in
  /// order.
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
    const std::map<const Var *, ExprPtr> values = constantsOf(plan_.body);
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
      if (auto bound = updates_.bounds().find(v.get()); bound != updates_.bounds().end())
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

  const LoweredPlan &plan_;
  const UnrolledTiles &updates_;
};

} // namespace

StmtPtr keptAcross(const StmtPtr &loop, const LoweredPlan &plan, const UnrolledTiles &updates) {
  return TilesAcrossLoops(plan, updates).run(loop);
}

} // namespace tangram::codegen
