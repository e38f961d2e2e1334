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
  const auto writes = [](const Stmt &s) {
    return s.target->kind == ir::ExprKind::Index && s.target->args[0]->type.isContainer();
  };
  Scan scan{{}, without(body, writes)};
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
