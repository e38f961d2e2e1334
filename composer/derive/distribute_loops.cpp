#include "composer/derive/distribute_loops.h"

#include "composer/derive/nest_spectrum.h"
#include "composer/derive/own_names.h"
#include "composer/derive/statements.h"
#include "composer/derive/windows.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

/// Statements of a loop's body that stay together, in order.
using Group = std::vector<std::size_t>;

/// Groups the statements of a body.
class Grouping {
public:
  /// `expandable`: variables that may have an element for each round.
  Grouping(const Nest &nest, int loop, const std::vector<StmtPtr> &body,
           std::set<const ir::Var *> expandable)
      : nest_(nest), loop_(loop), expandable_(std::move(expandable)), groupOf_(body.size()) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      groupOf_[i] = i;
      hasLoop_.push_back(hasLoop(body[i]));
      std::set<const ir::Var *> changed;
      std::set<const ir::Expr *> inside;
      ir::forEach(body[i], [&](const Stmt &s) {
        if (s.kind == StmtKind::Decl)
          changed.insert(s.var.get());
        if (s.kind == StmtKind::Assign)
          changed.insert(rootOf(*s.target));
      });
      ir::forEachExpr(body[i], [&](const ir::Expr &e) { inside.insert(&e); });
      changed_.push_back(std::move(changed));
      used_.push_back(variablesIn(body[i]));
      accesses_.push_back({});
      for (const NestAccess &access : nest.accesses) {
        if (inside.contains(access.expr))
          accesses_.back().push_back(&access);
      }
    }
  }

  std::vector<Group> groups() {
    while (joinTwo()) {
    }
    std::map<std::size_t, Group> found; // by their first statement
    for (std::size_t i = 0; i < groupOf_.size(); ++i)
      found[groupOf_[i]].push_back(i);
    std::vector<Group> all;
    for (auto &[first, group] : found)
      all.push_back(std::move(group));
    return all;
  }

private:
  static const ir::Var *rootOf(const ir::Expr &target) {
    return target.kind == ExprKind::Index ? rootOf(*target.args[0]) : target.var.get();
  }

  bool joinTwo() {
    for (std::size_t a = 0; a < groupOf_.size(); ++a) {
      for (std::size_t b = a + 1; b < groupOf_.size(); ++b) {
        if (groupOf_[a] == groupOf_[b] || !(shareVariable(a, b) || dependBackwards(a, b)))
          continue;
        const auto [low, high] = std::minmax(groupOf_[a], groupOf_[b]);
        std::ranges::replace(groupOf_, high, low);
        return true;
      }
    }
    return false;
  }

  /// Whether a local variable that one of them changes is used by the other, other than as a number that is kept for it.
  bool shareVariable(std::size_t a, std::size_t b) const {
    const auto touches = [&](std::size_t changing, std::size_t using_) {
      const bool isLater = groupOf_[changing] < groupOf_[using_];
      return std::ranges::any_of(changed_[changing], [&](const ir::Var *var) {
        const bool changes = changed_[using_].contains(var);
        const bool isKept = isLater && !changes && hasLoop_[using_] && expandable_.contains(var);
        return var->kind != ir::VarKind::Param && !isKept &&
               (used_[using_].contains(var) || changes);
      });
    };
    return touches(a, b) || touches(b, a);
  }

  /// Whether one of the two, whose group would be done before, touches in a round what the other one touches before.
  bool dependBackwards(std::size_t a, std::size_t b) const {
    const bool staysInOrder = groupOf_[a] < groupOf_[b];
    const std::size_t first = staysInOrder ? a : b, second = staysInOrder ? b : a;
    for (const NestAccess *x : accesses_[first]) {
      for (const NestAccess *y : accesses_[second]) {
        if (x->array == y->array && (x->writes || y->writes) &&
            algebra::mayMeetBefore(nest_, *x, *y, loop_, !staysInOrder))
          return true;
      }
    }
    return false;
  }

  const Nest &nest_;
  int loop_;
  std::set<const ir::Var *> expandable_;
  std::vector<bool> hasLoop_;
  std::vector<std::size_t> groupOf_; ///< the first statement of its group
  std::vector<std::set<const ir::Var *>> changed_, used_;
  std::vector<std::vector<const NestAccess *>> accesses_;
};

/// `a[i][j] = s; a[j][i] = s;` with the second one from the first one's element, which needs no variable.
StmtPtr withForwardedElements(const StmtPtr &s) {
  return ir::rewrite(s, [](const StmtPtr &each) -> StmtPtr {
    if (each->kind != StmtKind::Block)
      return each;
    std::vector<StmtPtr> children = each->children;
    for (std::size_t i = 1; i < children.size(); ++i) {
      const Stmt &before = *children[i - 1];
      const Stmt &now = *children[i];
      const auto stores = [](const Stmt &of) {
        return of.kind == StmtKind::Assign && of.op == "=" && of.target->kind == ExprKind::Index &&
               of.target->args[0]->type.isContainer();
      };
      if (!stores(before) || !stores(now) || now.value->kind != ExprKind::Var ||
          !ir::sameExpr(before.value, now.value) ||
          before.target->type.scalar != now.value->type.scalar)
        continue;
      auto copy = std::make_shared<Stmt>(now);
      copy->value = ir::withArgs(std::make_shared<ir::Expr>(*before.target), before.target->args);
      children[i] = copy;
    }
    return ir::withChildren(each, std::move(children));
  });
}

/// Takes apart one loop of a codelet after the other.
class Distributor {
public:
  Distributor(const ir::Codelet &codelet, bool expands)
      : codelet_(codelet), expands_(expands), fresh_(codelet.params, codelet.body) {}

  std::optional<DistributedLoops> distribute(const Nest &nest) {
    bool changes = false;
    std::vector<StmtPtr> body;
    for (const StmtPtr &s : codelet_.body->children) {
      const bool isAsked = s->kind == StmtKind::For && isPlain(s) && changedOutside(s).empty() &&
                           !isBlocked(codelet_, nest, s);
      const auto loops = isAsked ? takenApart(s) : std::nullopt;
      changes |= loops.has_value();
      if (loops)
        flatten(*loops, body);
      else
        body.push_back(s);
    }
    if (!changes)
      return std::nullopt;
    std::vector<StmtPtr> all = requirements();
    all.insert(all.end(), body.begin(), body.end());
    return DistributedLoops{ir::block(all), expanded_};
  }

private:
  /// What is required of the containers of all rounds.
  std::vector<StmtPtr> requirements() const {
    std::vector<StmtPtr> all;
    for (const ExpandedScalar &each : expanded_)
      all.push_back(ir::require(ir::binary("==", sizeOf(each.container, 0), each.rounds)));
    return all;
  }

  static bool isPlain(const StmtPtr &s) {
    bool plain = true;
    ir::forEach(s, [&](const Stmt &each) {
      plain = plain && each.kind != StmtKind::Return && each.kind != StmtKind::Break &&
              each.kind != StmtKind::Continue && each.kind != StmtKind::Eval &&
              !(each.var && each.var->extent);
    });
    return plain;
  }

  /// Whether the outermost loop of the statement may be cut.
  static bool isBlocked(const ir::Codelet &codelet, const Nest &nest, const StmtPtr &s) {
    const auto made = nestSpectrum("f", codelet, nest, {s, -1, nullptr, ir::Scalar::Void});
    if (!made)
      return false;
    const auto own = algebra::nestOf(made->made.codelet);
    const auto *read = std::get_if<Nest>(&own);
    return read != nullptr && !read->loops.empty() &&
           std::holds_alternative<BlockedLoop>(blockedLoop(*read, 0));
  }

  /// The loops that the statement becomes, where one of them may be cut.
  std::optional<StmtPtr> takenApart(const StmtPtr &s) {
    const std::vector<ExpandedScalar> before = expanded_;
    const std::optional<StmtPtr> apart = loopsOf(s);
    if (!apart)
      expanded_ = before;
    return apart;
  }

  std::optional<StmtPtr> loopsOf(const StmtPtr &s) {
    StmtPtr now = withForwardedElements(s);
    for (bool changes = true; changes;) {
      const ir::Codelet codelet = with(now);
      const auto read = algebra::nestOf(codelet);
      const auto *nest = std::get_if<Nest>(&read);
      if (nest == nullptr)
        return std::nullopt;
      changes = false;
      now = innermost(now, *nest, true, changes);
    }
    std::vector<StmtPtr> loops;
    flatten(now, loops);
    if (loops.size() < 2)
      return std::nullopt;
    const ir::Codelet codelet = with(now);
    const auto read = algebra::nestOf(codelet);
    const auto *nest = std::get_if<Nest>(&read);
    const bool isBetter = nest != nullptr && std::ranges::any_of(loops, [&](const StmtPtr &each) {
                            return isBlocked(codelet, *nest, each);
                          });
    return isBetter ? std::optional(now) : std::nullopt;
  }

  /// The codelet with `s` alone, and what it requires and gives names to.
  ir::Codelet with(const StmtPtr &s) const {
    ir::Codelet codelet = codelet_;
    for (const ExpandedScalar &each : expanded_)
      codelet.params.push_back(each.container);
    std::vector<StmtPtr> body = requirements();
    for (const StmtPtr &each : codelet_.body->children) {
      if (each->kind == StmtKind::Require || each->kind == StmtKind::Decl)
        body.push_back(each);
    }
    body.push_back(s);
    codelet.body = ir::block(body);
    return codelet;
  }

  /// Takes apart the first loop that has several groups, inner ones before those around them.
  StmtPtr innermost(const StmtPtr &s, const Nest &nest, bool isOutermost, bool &changes) {
    if (!s)
      return s;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(
          changes ? child
                  : innermost(child, nest, isOutermost && s->kind != StmtKind::For, changes));
    if (changes)
      return ir::withChildren(s, std::move(children));
    const int loop = s->kind == StmtKind::For ? nest.loopOf(*s) : -1;
    if (loop < 0 || nest.loops[static_cast<std::size_t>(loop)].leavesEarly)
      return s;
    std::vector<StmtPtr> body;
    flatten(s->children[2], body);
    std::set<const ir::Var *> expandable;
    if (expands_ && isOutermost)
      expandable = expandableIn(nest.loops[static_cast<std::size_t>(loop)], body);
    const std::vector<Group> groups = Grouping(nest, loop, body, expandable).groups();
    if (groups.size() < 2)
      return s;
    changes = true;
    std::vector<std::vector<StmtPtr>> bodies;
    for (const Group &group : groups) {
      bodies.emplace_back();
      for (const std::size_t i : group)
        bodies.back().push_back(body[i]);
    }
    for (const ir::Var *variable : expandable)
      expand(variable, s, bodies);
    std::vector<StmtPtr> loops;
    for (const std::vector<StmtPtr> &own : bodies)
      loops.push_back(
          withOwnLocals(ir::withChildren(s, {s->children[0], s->children[1], ir::block(own)})));
    return ir::block(loops);
  }

  /// Floating-point numbers that a round of a loop from 0 on declares.
  static std::set<const ir::Var *> expandableIn(const algebra::NestLoop &loop,
                                                const std::vector<StmtPtr> &body) {
    std::set<const ir::Var *> found;
    const ExprPtr &end = loop.statement->value;
    if (!loop.isCounted || loop.countsDown || !loop.first.isZero() ||
        end->kind != ExprKind::Binary || end->op != "<")
      return found;
    for (const StmtPtr &s : body) {
      if (s->kind == StmtKind::Decl && s->value && !s->var->extent &&
          ir::isFloating(s->var->type.scalar))
        found.insert(s->var.get());
    }
    return found;
  }

  /// Keeps a variable that one of the bodies of a loop's parts changes, where others read it.
  void expand(const ir::Var *variable, const StmtPtr &loop,
              std::vector<std::vector<StmtPtr>> &bodies) {
    const auto uses = [&](const std::vector<StmtPtr> &own) {
      return variablesIn(ir::block(own)).contains(variable);
    };
    const auto declares = [&](const std::vector<StmtPtr> &own) {
      return std::ranges::any_of(own, [&](const StmtPtr &s) {
        return s->kind == StmtKind::Decl && s->var.get() == variable;
      });
    };
    const auto making = std::ranges::find_if(bodies, declares);
    const bool isRead =
        std::ranges::any_of(bodies, [&](const auto &own) { return &own != &*making && uses(own); });
    if (!isRead)
      return;
    auto container = std::make_shared<ir::Var>();
    container->name = fresh_(variable->name + "_all");
    container->type = {variable->type.scalar, 1, 0, false, 1};
    container->kind = ir::VarKind::Param;
    expanded_.push_back({container, loop->value->args[1]});
    const ExprPtr element = ir::index(ir::varRef(container), {ir::varRef(loop->children[0]->var)});
    for (std::vector<StmtPtr> &own : bodies) {
      if (&own == &*making)
        continue;
      for (StmtPtr &s : own)
        s = ir::mapExprs(s, [&](const ExprPtr &e) {
          return ir::rewrite(e, [&](const ExprPtr &each) {
            return each->kind == ExprKind::Var && each->var.get() == variable ? element : each;
          });
        });
    }
    const StmtPtr declared = *std::ranges::find_if(*making, [&](const StmtPtr &s) {
      return s->kind == StmtKind::Decl && s->var.get() == variable;
    });
    making->push_back(ir::assign(element, "=", ir::varRef(declared->var)));
  }

  const ir::Codelet &codelet_;
  bool expands_;
  FreshNames fresh_;
  std::vector<ExpandedScalar> expanded_;
};

} // namespace

std::optional<DistributedLoops> withDistributedLoops(const ir::Codelet &codelet, const Nest &nest,
                                                     bool expands) {
  return Distributor(codelet, expands).distribute(nest);
}

} // namespace tangram::composer
