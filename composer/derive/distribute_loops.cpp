#include "composer/derive/distribute_loops.h"

#include "composer/derive/nest_spectrum.h"
#include "composer/derive/own_names.h"
#include "composer/derive/statements.h"
#include "composer/derive/windows.h"

#include <algorithm>
#include <map>
#include <set>

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
  Grouping(const Nest &nest, int loop, const std::vector<StmtPtr> &body)
      : nest_(nest), loop_(loop), groupOf_(body.size()) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      groupOf_[i] = i;
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

  /// Whether a local variable that one of them changes is used by the other.
  bool shareVariable(std::size_t a, std::size_t b) const {
    const auto touches = [&](std::size_t changing, std::size_t using_) {
      return std::ranges::any_of(changed_[changing], [&](const ir::Var *var) {
        return var->kind != ir::VarKind::Param &&
               (used_[using_].contains(var) || changed_[using_].contains(var));
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
  explicit Distributor(const ir::Codelet &codelet) : codelet_(codelet) {}

  StmtPtr distribute(const Nest &nest) {
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
    return changes ? ir::block(body) : nullptr;
  }

private:
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
  std::optional<StmtPtr> takenApart(const StmtPtr &s) const {
    StmtPtr now = withForwardedElements(s);
    for (bool changes = true; changes;) {
      const ir::Codelet codelet = with(now);
      const auto read = algebra::nestOf(codelet);
      const auto *nest = std::get_if<Nest>(&read);
      if (nest == nullptr)
        return std::nullopt;
      changes = false;
      now = innermost(now, *nest, changes);
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
    std::vector<StmtPtr> body;
    for (const StmtPtr &each : codelet_.body->children) {
      if (each->kind == StmtKind::Require || each->kind == StmtKind::Decl)
        body.push_back(each);
    }
    body.push_back(s);
    codelet.body = ir::block(body);
    return codelet;
  }

  /// Takes apart the first loop that has several groups, inner ones before those around them.
  static StmtPtr innermost(const StmtPtr &s, const Nest &nest, bool &changes) {
    if (!s)
      return s;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(changes ? child : innermost(child, nest, changes));
    if (changes)
      return ir::withChildren(s, std::move(children));
    const int loop = s->kind == StmtKind::For ? nest.loopOf(*s) : -1;
    if (loop < 0 || nest.loops[static_cast<std::size_t>(loop)].leavesEarly)
      return s;
    std::vector<StmtPtr> body;
    flatten(s->children[2], body);
    const std::vector<Group> groups = Grouping(nest, loop, body).groups();
    if (groups.size() < 2)
      return s;
    changes = true;
    std::vector<StmtPtr> loops;
    for (const Group &group : groups) {
      std::vector<StmtPtr> own;
      for (const std::size_t i : group)
        own.push_back(body[i]);
      loops.push_back(
          withOwnLocals(ir::withChildren(s, {s->children[0], s->children[1], ir::block(own)})));
    }
    return ir::block(loops);
  }

  const ir::Codelet &codelet_;
};

} // namespace

StmtPtr withDistributedLoops(const ir::Codelet &codelet, const Nest &nest) {
  return Distributor(codelet).distribute(nest);
}

} // namespace tangram::composer
