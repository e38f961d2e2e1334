#include "composer/derive/scan.h"

#include "composer/derive/container_elements.h"
#include "composer/derive/statements.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

bool isEmpty(const StmtPtr &s) {
  if (!s)
    return true;
  switch (s->kind) {
  case StmtKind::Block:
    return std::ranges::all_of(s->children, isEmpty);
  case StmtKind::If:
    return std::ranges::all_of(s->children, isEmpty);
  case StmtKind::For:
    return isEmpty(s->children[2]);
  default:
    return false;
  }
}

/// `body` without some assignments, and what is of no use without them.
StmtPtr without(const StmtPtr &body, const std::function<bool(const Stmt &)> &goes) {
  StmtPtr made = ir::rewrite(body, [&](const StmtPtr &s) {
    return s->kind == StmtKind::Assign && goes(*s) ? ir::block({}) : s;
  });
  for (bool changes = true; changes;) {
    changes = false;
    const std::set<const ir::Var *> used = variablesIn(made);
    made = ir::rewrite(made, [&](const StmtPtr &s) {
      const bool isUnused = s->kind == StmtKind::Decl && !used.contains(s->var.get());
      const bool isDone = (s->kind == StmtKind::If || s->kind == StmtKind::For) && isEmpty(s);
      changes |= isUnused || isDone;
      return isUnused || isDone ? ir::block({}) : s;
    });
  }
  return made;
}

/// Whether `s` may change the value of `e`: it assigns a variable of `e`, stores to a container that `e` reads, or is a loop, a branch
/// or a block.
bool changes(const Stmt &s, const ir::ExprPtr &e) {
  if (s.kind != StmtKind::Assign)
    return ir::isLoop(s) || s.kind == StmtKind::If || s.kind == StmtKind::Block;
  const ir::Expr &root = s.target->kind == ir::ExprKind::Index ? *s.target->args[0] : *s.target;
  return ir::contains(e, [&](const ir::Expr &each) { return each.var && each.var == root.var; });
}

/// Forwards stored values: in `y[j] = e; z += y[j];` the second statement becomes `z += e`, so that the store can be dropped.
StmtPtr withStoredValues(const StmtPtr &body) {
  return ir::rewrite(body, [](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Block)
      return s;
    std::vector<StmtPtr> children = s->children;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Stmt &store = *children[i];
      if (!isStore(store) || store.op != "=")
        continue;
      const ir::ExprPtr value = ir::cast(store.target->type.scalar, store.value);
      for (std::size_t k = i + 1; k < children.size(); ++k) {
        const bool isPlain =
            children[k]->kind == StmtKind::Decl || children[k]->kind == StmtKind::Assign;
        if (isPlain && !isStore(*children[k]))
          children[k] = ir::mapExprs(children[k], [&](const ir::ExprPtr &e) {
            return ir::rewrite(e, [&](const ir::ExprPtr &each) {
              return ir::sameExpr(each, store.target) ? value : each;
            });
          });
        if (changes(*children[k], store.target) || changes(*children[k], value))
          break;
      }
    }
    return ir::withChildren(s, std::move(children));
  });
}

/// The elements that statements store to.
std::vector<ir::ExprPtr> storedElements(const StmtPtr &s) {
  std::vector<ir::ExprPtr> elements;
  ir::forEach(s, [&](const Stmt &each) {
    if (isStore(each))
      elements.push_back(each.target);
  });
  return elements;
}

/// Whether a term may be of an element that a store has written, in this round or in one before it: where only sums are made, nothing
/// is stored. In front of its store an element is what it was before the loop, since no other round stores to it.
class ReadsOfStored {
public:
  explicit ReadsOfStored(const StmtPtr &body) : all_(storedElements(body)) {
    ir::forEach(body, [&](const Stmt &each) {
      if (each.kind == StmtKind::Assign && each.target->kind == ir::ExprKind::Var)
        assigned_.insert(each.target->var.get());
    });
    reads_ = readsIn(body);
  }
  bool any() const { return reads_; }

private:
  bool readsIn(const StmtPtr &s) {
    if (!s)
      return false;
    if (isStore(*s)) {
      behind_.push_back(s->target);
      return false;
    }
    if (ir::isLoop(*s)) { // which may have stored in its round before
      for (const ir::ExprPtr &each : storedElements(s))
        behind_.push_back(each);
    }
    bool reads = false;
    ir::forEachOwnExpr(*s, [&](const ir::ExprPtr &e) {
      ir::forEach(e, [&](const ir::Expr &each) { reads |= mayBeStored(each); });
    });
    return reads ||
           std::ranges::any_of(s->children, [&](const StmtPtr &child) { return readsIn(child); });
  }

  bool mayBeStored(const ir::Expr &e) const {
    if (e.kind != ir::ExprKind::Index)
      return false;
    const auto isOfArray = [&](const ir::ExprPtr &stored) {
      return stored->args[0]->var == e.args[0]->var;
    };
    return std::ranges::any_of(behind_, isOfArray) ||
           std::ranges::any_of(all_, [&](const ir::ExprPtr &stored) {
             return isOfArray(stored) && !(isSteady(*stored) && areSame(*stored, e));
           });
  }

  static bool areSame(const ir::Expr &a, const ir::Expr &b) {
    return std::ranges::equal(a.args, b.args, [](const ir::ExprPtr &x, const ir::ExprPtr &y) {
      return ir::sameExpr(x, y);
    });
  }

  /// Whether its name is that of one element throughout a round.
  bool isSteady(const ir::Expr &stored) const {
    return std::ranges::none_of(stored.args, [&](const ir::ExprPtr &arg) {
      return ir::contains(arg, [&](const ir::Expr &each) {
        return each.var && assigned_.contains(each.var.get());
      });
    });
  }

  std::vector<ir::ExprPtr> all_;
  std::vector<ir::ExprPtr> behind_; ///< stored before the statement that is looked at
  std::set<const ir::Var *> assigned_;
  bool reads_ = false;
};

/// The codelet with another body for one of its loops, and what is read of it.
struct Variant {
  Variant(ir::Codelet of, const Nest &nest, int loop, const StmtPtr &body)
      : codelet(std::move(of)) {
    const algebra::NestLoop &changed = nest.loops[static_cast<std::size_t>(loop)];
    codelet.body = ir::rewrite(codelet.body, [&](const StmtPtr &s) {
      const bool isIt =
          s->kind == StmtKind::For && s->children[0] && s->children[0]->var == changed.counter;
      return isIt ? ir::withChildren(s, {s->children[0], s->children[1], body}) : s;
    });
    const auto made = algebra::nestOf(codelet);
    if (const auto *found = std::get_if<Nest>(&made)) {
      read = *found;
      const auto at = std::ranges::find(read->loops, changed.counter, &algebra::NestLoop::counter);
      number = at == read->loops.end() ? -1 : static_cast<int>(at - read->loops.begin());
    }
  }

  ir::Codelet codelet;
  std::optional<Nest> read;
  int number = -1; ///< of the loop
};

} // namespace

std::optional<Scan> scanOf(const ir::Codelet &codelet, const Nest &nest, int loop) {
  const algebra::NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
  if (!of.isCounted || of.leavesEarly)
    return std::nullopt;
  const StmtPtr &body = of.statement->children[2];
  const StmtPtr forwarded = withStoredValues(body);
  if (ReadsOfStored(forwarded).any())
    return std::nullopt;
  Scan scan{{}, without(forwarded, isStore)};
  const Variant adding(codelet, nest, loop, scan.adds);
  if (!adding.read || adding.number < 0)
    return std::nullopt;
  const LoopSums sums = loopSums(*adding.read, adding.number);
  if (sums.why || std::ranges::any_of(sums.updates,
                                      [](const Update &update) { return !update.places.empty(); }))
    return std::nullopt;
  scan.updates = sums.updates;
  const Variant writing(codelet, nest, loop, without(body, [&](const Stmt &s) {
                          return std::ranges::any_of(scan.updates, [&](const Update &update) {
                            return s.target->kind == ir::ExprKind::Var &&
                                   s.target->var == update.variable;
                          });
                        }));
  const bool isScan = writing.read && writing.number >= 0 &&
                      !algebra::whyNotApart(*writing.read, writing.number, true);
  return isScan ? std::optional(scan) : std::nullopt;
}

} // namespace tangram::composer
