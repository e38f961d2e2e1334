#include "composer/derive/fused_loops.h"

#include "algebra/nests.h"
#include "composer/derive/own_names.h"
#include "composer/derive/scan.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using algebra::NestLoop;
using algebra::NestReason;
using ir::Expr;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

using Variables = std::set<const ir::Var *>;
using Statements = std::vector<StmtPtr>;
/// The whole body with these statements in the place of a list in it.
using Whole = std::function<StmtPtr(const Statements &)>;

constexpr const char *notFused = " are not fused: ";

/// What statements name, and what of it they may change; containers are variables.
struct Effects {
  Variables named, changed;
};

Effects effectsOf(const StmtPtr &s) {
  Effects effects{variablesIn(s), {}};
  ir::forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl)
      effects.changed.insert(each.var.get());
    const ExprPtr changed = targetOf(each);
    if (!changed)
      return;
    const Expr *target = changed.get();
    while (target->kind == ExprKind::Index)
      target = target->args[0].get();
    effects.changed.insert(target->var.get());
  });
  effects.named.insert(effects.changed.begin(), effects.changed.end());
  return effects;
}

/// A variable that one of the two changes and the other one names; null: they may change places.
const ir::Var *conflictOf(const Effects &a, const Effects &b) {
  for (const auto &[changing, naming] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const ir::Var *var : changing->changed) {
      if (naming->named.contains(var))
        return var;
    }
  }
  return nullptr;
}

/// Whether all of `s` is done in every round: nothing in it jumps.
bool isStraight(const StmtPtr &s) {
  bool straight = true;
  ir::forEach(s, [&](const Stmt &each) {
    straight = straight && each.kind != StmtKind::Return && each.kind != StmtKind::Break &&
               each.kind != StmtKind::Continue && each.kind != StmtKind::Eval;
  });
  return straight;
}

/// The body with a name of its own for every variable.
StmtPtr withOwnNames(const ir::Codelet &codelet) {
  FreshNames fresh(codelet.params, ir::block({}));
  std::map<const ir::Var *, ir::VarPtr> others;
  ir::forEach(codelet.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Decl)
      return;
    const std::string name = fresh(s.var->name);
    if (name == s.var->name)
      return;
    auto copy = std::make_shared<ir::Var>(*s.var);
    copy->name = name;
    others[s.var.get()] = copy;
  });
  return others.empty() ? codelet.body : withVariables(codelet.body, others);
}

/// `s` with another variable for one, every subscripted element being a node of its own.
StmtPtr withCounter(const StmtPtr &s, const ir::VarPtr &from, const ir::VarPtr &to) {
  return ir::mapExprs(s, [&](const ExprPtr &e) {
    return ir::rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind == ExprKind::Var && each->var == from)
        return ir::varRef(to, each->location);
      return each->kind == ExprKind::Index ? std::make_shared<Expr>(*each) : each;
    });
  });
}

/// What the rounds of a loop are to each other.
enum class Rounds { Apart, Combined, InOrder };

class Fuser {
public:
  explicit Fuser(const ir::Codelet &codelet) : codelet_(codelet) {
    codelet_.body = withOwnNames(codelet);
  }

  FusedLoops fuse() {
    Statements body;
    flatten(codelet_.body, body);
    result_.body = ir::block(fuse(body, [](const Statements &all) { return ir::block(all); }));
    return std::move(result_);
  }

private:
  /// Fuses loops of a list, and of the bodies of its loops.
  Statements fuse(Statements list, const Whole &whole) {
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < list.size() && !changes; ++i)
        changes = list[i]->kind == StmtKind::For && fuseWithNext(list, i, whole);
    }
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] = fusedInside(list, i, whole);
    return list;
  }

  /// Statement `at` of a list, with the loops in it fused where it is one.
  StmtPtr fusedInside(const Statements &list, std::size_t at, const Whole &whole) {
    const StmtPtr loop = list[at];
    if (loop->kind != StmtKind::For)
      return loop;
    const auto withBody = [&](const Statements &inner) {
      return ir::withChildren(loop, {loop->children[0], loop->children[1], ir::block(inner)});
    };
    Statements body;
    flatten(loop->children[2], body);
    const std::size_t before = result_.fused.size();
    const Statements inner = fuse(body, [&](const Statements &all) {
      Statements around = list;
      around[at] = withBody(all);
      return whole(around);
    });
    return result_.fused.size() > before ? withBody(inner) : loop;
  }

  std::optional<Nest> nestOf(const StmtPtr &body) {
    codelet_.body = body;
    auto read = algebra::nestOf(codelet_);
    auto *nest = std::get_if<Nest>(&read);
    return nest == nullptr ? std::nullopt : std::optional(std::move(*nest));
  }

  /// Fuses loop `first` of the list with the next one, if it may be; whether it is.
  bool fuseWithNext(Statements &list, std::size_t first, const Whole &whole) {
    std::size_t second = first + 1;
    while (second < list.size() && list[second]->kind != StmtKind::For)
      ++second;
    if (second == list.size() || !sharesContainer(list[first], list[second]) ||
        !tried_.emplace(list[first].get(), list[second].get()).second)
      return false;
    const StmtPtr a = list[first], b = list[second];
    const auto nest = nestOf(whole(list));
    const int atA = nest ? nest->loopOf(*a) : -1, atB = nest ? nest->loopOf(*b) : -1;
    if (atA < 0 || atB < 0 || !haveSameRounds(*nest, atA, atB))
      return keepApart(a, b, "their rounds are not the same", b->location);
    const Rounds rounds[] = {roundsOf(*nest, atA), roundsOf(*nest, atB)};
    const std::size_t tiled = std::max(tiledLoops(*nest, a), tiledLoops(*nest, b));
    const auto moved = moveBetween(list, first, second);
    if (!moved)
      return false;
    const StmtPtr joined = joinedLoop(a, b);
    Statements made(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first));
    made.insert(made.end(), moved->before.begin(), moved->before.end());
    made.push_back(joined);
    made.insert(made.end(), moved->behind.begin(), moved->behind.end());
    made.insert(made.end(), list.begin() + static_cast<std::ptrdiff_t>(second) + 1, list.end());
    const auto after = nestOf(whole(made));
    if (!after || !isLegal(*after, joined, a, b) || !reusesElements(*after, joined, a))
      return false;
    if ((rounds[0] == Rounds::InOrder) != (rounds[1] == Rounds::InOrder) ||
        roundsOf(*after, after->loopOf(*joined)) > std::max(rounds[0], rounds[1]))
      return keepApart(a, b, "together their rounds would have to keep their order", b->location);
    const FusedLoops before = result_;
    result_.fused.push_back({"loops " + nameOf(a) + " and " + nameOf(b) + " are one", b->location});
    const std::size_t at = first + moved->before.size();
    made[at] = fusedInside(made, at, whole);
    const auto all = nestOf(whole(made));
    if (!all || perfectLoops(*all, made[at]) < tiled) {
      result_ = before;
      return keepApart(a, b, "tiles of the two loops around a sum would be lost", b->location);
    }
    list = std::move(made);
    return true;
  }

  /// Independent loops that nest perfectly, from this one on.
  static std::size_t perfectLoops(const Nest &nest, const StmtPtr &s) {
    const int loop = s->kind == StmtKind::For ? nest.loopOf(*s) : -1;
    if (loop < 0 || algebra::whyNotApart(nest, loop, true))
      return 0;
    const StmtPtr inner = onlyLoop(s);
    return 1 + (inner ? perfectLoops(nest, inner) : 0);
  }

  /// The same of loops in which there is another one, tiles of which use again what they read; 0 of others.
  static std::size_t tiledLoops(const Nest &nest, const StmtPtr &s) {
    const std::size_t count = perfectLoops(nest, s);
    StmtPtr innermost = s;
    for (std::size_t i = 1; i < count; ++i)
      innermost = onlyLoop(innermost);
    return count > 0 && hasLoop(innermost->children[2]) ? count : 0;
  }

  /// The statement of a loop's body, besides declarations, where that is one loop; null where it is not.
  static StmtPtr onlyLoop(const StmtPtr &loop) {
    Statements body;
    flatten(loop->children[2], body);
    std::erase_if(body, [](const StmtPtr &s) { return s->kind == StmtKind::Decl; });
    return body.size() == 1 && body[0]->kind == StmtKind::For ? body[0] : nullptr;
  }

  /// Of a loop without a variable of its own, as `for (;;)`, the word for it.
  static std::string nameOf(const StmtPtr &loop) {
    const StmtPtr &start = loop->children[0];
    return start && start->kind == StmtKind::Decl ? start->var->name : "without a counter";
  }

  bool keepApart(const StmtPtr &a, const StmtPtr &b, const std::string &why,
                 const ir::SourceLocation &at) {
    NestReason reason{"loops " + nameOf(a) + " and " + nameOf(b) + notFused + why, at};
    if (std::ranges::find(result_.apart, reason.text, &NestReason::text) == result_.apart.end())
      result_.apart.push_back(std::move(reason));
    return false;
  }

  static bool sharesContainer(const StmtPtr &a, const StmtPtr &b) {
    const auto containersIn = [](const StmtPtr &s) {
      Variables found;
      ir::forEachExpr(s, [&](const Expr &e) {
        if (e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var &&
            e.args[0]->var->type.isContainer())
          found.insert(e.args[0]->var.get());
      });
      return found;
    };
    const Variables of = containersIn(a), other = containersIn(b);
    return std::ranges::any_of(of, [&](const ir::Var *var) { return other.contains(var); });
  }

  static bool haveSameRounds(const Nest &nest, int a, int b) {
    const NestLoop &first = nest.loops[static_cast<std::size_t>(a)];
    const NestLoop &second = nest.loops[static_cast<std::size_t>(b)];
    const auto isCounted = [](const NestLoop &loop) {
      return loop.isCounted && !loop.countsDown && !loop.leavesEarly &&
             isStraight(loop.statement->children[2]);
    };
    const auto isSame = [&](const algebra::Polynomial &p, const algebra::Polynomial &q) {
      return p == q || (nest.sizes.isNonNegative(p - q) && nest.sizes.isNonNegative(q - p));
    };
    return isCounted(first) && isCounted(second) && first.around == second.around &&
           first.counter->type.scalar == second.counter->type.scalar &&
           isSame(first.first, second.first) && isSame(first.end, second.end);
  }

  struct Moved {
    Statements before, behind;
  };

  /// The statements between two loops, in front of the first one or behind the second one.
  std::optional<Moved> moveBetween(const Statements &list, std::size_t first, std::size_t second) {
    Moved moved;
    const Effects a = effectsOf(list[first]), b = effectsOf(list[second]);
    std::vector<Effects> behind;
    for (std::size_t i = first + 1; i < second; ++i) {
      if (!isStraight(list[i]))
        return std::nullopt;
      const Effects own = effectsOf(list[i]);
      const bool goesBefore =
          conflictOf(own, a) == nullptr && std::ranges::none_of(behind, [&](const Effects &each) {
            return conflictOf(own, each) != nullptr;
          });
      if (goesBefore) {
        moved.before.push_back(list[i]);
        continue;
      }
      if (const ir::Var *needed = conflictOf(own, b)) {
        keepApart(list[first], list[second],
                  "the second one needs '" + needed->name +
                      "', which the first one has when it ends",
                  list[second]->location);
        return std::nullopt;
      }
      moved.behind.push_back(list[i]);
      behind.push_back(own);
    }
    return moved;
  }

  static StmtPtr joinedLoop(const StmtPtr &a, const StmtPtr &b) {
    Statements body;
    flatten(a->children[2], body);
    flatten(withCounter(b->children[2], b->children[0]->var, a->children[0]->var), body);
    return ir::withChildren(a, {a->children[0], a->children[1], ir::block(body)});
  }

  /// Whether no round of what was the second loop touches what later rounds of the first one do.
  bool isLegal(const Nest &nest, const StmtPtr &joined, const StmtPtr &a, const StmtPtr &b) {
    Statements own;
    flatten(a->children[2], own);
    const Effects first = effectsOf(ir::block(own));
    const Effects second = effectsOf(b->children[2]);
    for (const ir::Var *var : first.changed) {
      if (!var->type.isContainer() && second.named.contains(var))
        return keepApart(
            a, b, "the second one needs '" + var->name + "', which the first one has when it ends",
            b->location);
    }
    for (const ir::Var *var : second.changed) {
      if (!var->type.isContainer() && first.named.contains(var))
        return keepApart(a, b,
                         "the first one needs '" + var->name + "', which the second one changes",
                         b->location);
    }
    std::set<const Expr *> inFirst;
    for (const StmtPtr &s : own)
      ir::forEachExpr(s, [&](const Expr &e) { inFirst.insert(&e); });
    const int loop = nest.loopOf(*joined);
    for (const NestAccess &of : nest.accesses) {
      for (const NestAccess &later : nest.accesses) {
        const bool isAsked = of.array == later.array && (of.writes || later.writes) &&
                             nest.isIn(of.loop, loop) && nest.isIn(later.loop, loop) &&
                             inFirst.contains(of.expr) && !inFirst.contains(later.expr);
        if (isAsked && algebra::mayMeetBefore(nest, of, later, loop, false))
          return keepApart(a, b,
                           "'" + ir::asWritten(std::make_shared<Expr>(*later.expr)) +
                               "' may be of another round than '" +
                               ir::asWritten(std::make_shared<Expr>(*of.expr)) + "'",
                           later.location());
      }
    }
    return true;
  }

  /// Whether a round of what was the second loop names an element, or a row of such, that the same or a nearby round of
  /// the first one names.
  static bool reusesElements(const Nest &nest, const StmtPtr &joined, const StmtPtr &a) {
    std::set<const Expr *> inFirst;
    ir::forEachExpr(a->children[2], [&](const Expr &e) { inFirst.insert(&e); });
    const int loop = nest.loopOf(*joined);
    const auto inRound = [&](algebra::Polynomial p) {
      for (std::size_t inner = 0; inner < nest.loops.size(); ++inner) {
        if (static_cast<int>(inner) != loop && nest.isIn(static_cast<int>(inner), loop))
          p = p.with(nest.loops[inner].atom, {});
      }
      return p;
    };
    const auto isNear = [&](const NestAccess &x, const NestAccess &y) {
      if (x.array != y.array) // containers of other ranks, too
        return false;
      for (std::size_t d = 0; d < x.place.size(); ++d) {
        if (!x.place[d] || !y.place[d] || !(inRound(*x.place[d]) - inRound(*y.place[d])).literal())
          return false;
      }
      return true;
    };
    return std::ranges::any_of(nest.accesses, [&](const NestAccess &x) {
      return nest.isIn(x.loop, loop) && inFirst.contains(x.expr) &&
             std::ranges::any_of(nest.accesses, [&](const NestAccess &y) {
               return nest.isIn(y.loop, loop) && !inFirst.contains(y.expr) && isNear(x, y);
             });
    });
  }

  /// Of a loop of codelet_, which `nest` was made of.
  Rounds roundsOf(const Nest &nest, int loop) const {
    if (!algebra::whyNotApart(nest, loop, true))
      return Rounds::Apart;
    const bool isCombined = !loopSums(nest, loop).why || scanOf(codelet_, nest, loop);
    return isCombined ? Rounds::Combined : Rounds::InOrder;
  }

  ir::Codelet codelet_;
  std::set<std::pair<const Stmt *, const Stmt *>> tried_;
  FusedLoops result_;
};

} // namespace

bool isOfFusion(const NestReason &why) { return why.text.find(notFused) != std::string::npos; }

FusedLoops withFusedLoops(const ir::Codelet &codelet) { return Fuser(codelet).fuse(); }

} // namespace tangram::composer
