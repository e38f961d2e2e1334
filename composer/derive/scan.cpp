#include "composer/derive/scan.h"

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

bool isStore(const Stmt &s) {
  return s.kind == StmtKind::Assign && s.target->kind == ir::ExprKind::Index &&
         s.target->args[0]->type.isContainer();
}

/// Whether `s` changes what `e` is made of: a variable of it, or an element of the container that `e` is of.
bool changes(const Stmt &s, const ir::ExprPtr &e) {
  if (s.kind != StmtKind::Assign)
    return ir::isLoop(s) || s.kind == StmtKind::If || s.kind == StmtKind::Block;
  const ir::Expr &root = s.target->kind == ir::ExprKind::Index ? *s.target->args[0] : *s.target;
  return ir::contains(e, [&](const ir::Expr &each) { return each.var && each.var == root.var; });
}

/// `y[j] = e; z += y[j];` with the second statement as `z += e`: without the store, y[j] is what it was before.
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

/// Whether a statement other than a store reads a container behind a store to it, whose elements are not written where only sums are
/// made. A loop may store in its round before.
bool readsBehindStore(const StmtPtr &s, std::set<const ir::Var *> &stored) {
  if (!s)
    return false;
  if (isStore(*s)) {
    stored.insert(s->target->args[0]->var.get());
    return false;
  }
  if (ir::isLoop(*s))
    ir::forEach(s, [&](const Stmt &each) {
      if (isStore(each))
        stored.insert(each.target->args[0]->var.get());
    });
  bool reads = false;
  ir::forEachOwnExpr(*s, [&](const ir::ExprPtr &e) {
    reads |= ir::contains(e, [&](const ir::Expr &each) {
      return each.kind == ir::ExprKind::Index && stored.contains(each.args[0]->var.get());
    });
  });
  return reads || std::ranges::any_of(s->children, [&](const StmtPtr &child) {
           return readsBehindStore(child, stored);
         });
}

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
  std::set<const ir::Var *> stored;
  if (readsBehindStore(forwarded, stored))
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
