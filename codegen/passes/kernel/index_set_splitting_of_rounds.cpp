// Index-set splitting by the rounds of outer loops: takes out the comparisons with ends that are left where groups and
// innermost loops are split already, those of numbers that a worker goes along.
//
// Where workers of a group are loops, edges are apart in the innermost loop (index_set_splitting.cpp), and whether there is the
// row that it goes along is asked in each of its rounds (which row it is, is chosen before: invariant_code_motion.cpp):
//
//   before:  for (k = inside; k < outside) out[...] = (1 <= i ? in[...] : 0) + ... + (i + 1 < n ? in[...] : 0)
//   after:   inside_2 = 1 <= i && i + 1 < n
//            if (inside_2) for (k = inside; k < outside) out[...] = in[...] + ... + in[...]
//            else          for (k = inside; k < outside) out[...] = (1 <= i ? in[...] : 0) + ...
//
// Lanes that each have an element are cut into three as such a loop is, in rows that are inside.
//
// Where they are none, items that go along a dimension ask once for each round of the loop, and go along the loops in it
// without comparing; those that have tiles of their own ask once for a tile. Neighbours of a warp ask of the same
// numbers, so that none does both:
//
//   before:  for (k = item; k < n; k += N) for (i < rows) out[...] = (1 <= k ? in[... + k - 1] : 0) + ...
//   after:   for (k = item; k < n; k += N) {
//              inside_2 = 1 <= k - (k & 31) && (k | 31) + 1 < n
//              if (inside_2) for (i < rows) out[...] = in[... + k - 1] + ...
//              else          for (i < rows) out[...] = (1 <= k ? in[... + k - 1] : 0) + ...
//            }
//
// and a loop by ones with none inside that a call counts is cut into three, as in index_set_splitting.cpp. Only what is inside
// is looked into further: each loop adds one copy of what it does, the innermost one two, and edges have one code.
#include "codegen/analysis/counted_loops.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/index_set_splitting.h"
#include "codegen/passes/kernel/interior.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

std::optional<CountedLoop> plainLoop(const Stmt &s) {
  const auto loop = loopUpTo(s);
  const bool plain =
      loop && loop->i->type.scalar == Scalar::Index && !assigns(loop->body, loop->i.get());
  return plain ? loop : std::nullopt;
}

// ----------------------------------------------------------------------------
// Rows, where workers of a group are loops
// ----------------------------------------------------------------------------

/// The loop twice, without a comparison in rows that are inside; itself where some would be left.
StmtPtr rowsApart(const LoweredPlan &plan, const StmtPtr &s) {
  const auto loop = plainLoop(*s);
  if (!loop || isShort(plan, loop->bound) || !hasOnlyShortLoops(plan, loop->body))
    return s;
  // Rounds of which some are past an end compare by its counter, which is left.
  Interior interior(plan, loop->body, {loop->i.get()}, {}, Interior::Of::Guards);
  std::vector<StmtPtr> children = s->children;
  children[2] = interior.of(children[2]);
  if (children[2] == s->children[2] || interior.left() > 0)
    return s;
  const StmtPtr fast = withOwnVariables(withChildren(s, std::move(children)));
  const ExprPtr condition = interior.anyCondition();
  if (!condition)
    return fast;
  const VarPtr inside = newVariable("inside", Scalar::Bool);
  return block({declare(inside, condition), ifThen(varRef(inside), fast, s)});
}

/// Lanes in three parts, if the middle one compares nothing; itself where it would.
StmtPtr lanesApart(const LoweredPlan &plan, const StmtPtr &s) {
  const auto parts = splitLanes(plan, s);
  if (!parts)
    return s;
  const Stmt &middle = *parts->all[parts->inside];
  Interior interior(plan, middle.children[0], {middle.var.get()}, {}, Interior::Of::Guards);
  const bool compares =
      interior.of(middle.children[0]) != middle.children[0] || interior.left() > 0;
  return compares ? s : block(parts->all);
}

// ----------------------------------------------------------------------------
// Rounds of items
// ----------------------------------------------------------------------------

/// Numbers that differ between the items of a group.
class Differing {
public:
  explicit Differing(const LoweredPlan &plan) : plan_(plan) {
    for (std::size_t before = 1; before > 0;) { // names of names, in whichever order
      before = all.size();
      walk(plan.body);
      before = all.size() - before;
    }
  }

  std::set<const Var *> all;

private:
  void walk(const StmtPtr &s) {
    if (!s)
      return;
    if (s->kind == StmtKind::Parallel && s->var && plan_.role(s->level) > Role::Group)
      all.insert(s->var.get());
    if (s->kind == StmtKind::Decl && s->value && differs(s->value))
      all.insert(s->var.get());
    if (s->kind == StmtKind::Assign && s->target->kind == ExprKind::Var)
      all.insert(s->target->var.get());
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      const StmtPtr &child = s->children[i];
      const bool steps = s->kind == StmtKind::For && i == 1;
      if (!steps)
        walk(child);
      else if (child && child->kind == StmtKind::Assign && differs(child->value))
        walk(child);
    }
  }

  bool differs(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.var && all.contains(each.var.get()));
    });
  }

  const LoweredPlan &plan_;
};

class Rounds {
public:
  explicit Rounds(const LoweredPlan &plan)
      : plan_(plan), differing_(Differing(plan).all), items_(numbersOfItems(plan)),
        warp_(plan.machine ? std::bit_floor(static_cast<std::uint64_t>(plan.machine->costs.lanes))
                           : 1) {}

  /// `s` with what items do in it.
  StmtPtr in(const StmtPtr &s) const {
    if (!s)
      return s;
    const bool items = s->kind == StmtKind::Parallel && plan_.role(s->level) >= Role::Item;
    std::vector<StmtPtr> children = s->children;
    for (StmtPtr &each : children)
      each = items ? ofItem(*s, each) : in(each);
    return withChildren(s, std::move(children));
  }

private:
  static std::set<const Var *> numbersOfItems(const LoweredPlan &plan) {
    std::set<const Var *> found;
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && s.var && plan.role(s.level) > Role::Group)
        found.insert(s.var.get());
    });
    return found;
  }

  /// What each of the items does. Where that is a loop that begins alike for all, its number is what the item goes by.
  StmtPtr ofItem(const Stmt &items, const StmtPtr &s) const {
    std::vector<StmtPtr> statements = withoutBlocks({s});
    std::erase_if(statements, [](const StmtPtr &each) { return each->kind == StmtKind::Comment; });
    const StmtPtr only = statements.size() == 1 ? statements[0] : nullptr;
    if (only && only->kind == StmtKind::If && isOfGroup(only->value)) {
      std::vector<StmtPtr> children = only->children;
      children[0] = ofItem(items, children[0]);
      return withChildren(only, std::move(children));
    }
    const auto loop = only && items.var ? plainLoop(*only) : std::nullopt;
    const StmtPtr apart = loop && !differs(loop->start) ? apartBy(items.var, s) : nullptr;
    return apart ? apart : of(s);
  }

  /// What an item does.
  StmtPtr of(const StmtPtr &s) const {
    if (!s)
      return s;
    if (s->kind == StmtKind::For) {
      if (const StmtPtr apart = loopApart(s))
        return apart;
      if (const auto parts = splitLoop(plan_, s))
        return block(parts->all);
      if (const StmtPtr apart = roundsApart(s))
        return apart;
    }
    std::vector<StmtPtr> children = s->children;
    const bool edges = s->kind == StmtKind::If && isOfGroup(s->value);
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!edges || i == 0)
        children[i] = of(children[i]);
    }
    return withChildren(s, std::move(children));
  }

  /// Whether which element is accessed is found by a remainder, as past the ends of what is continued by more than one
  /// element. PoCL 3.1 (LLVM's vectorizer of loops) reads others where a branch around it has said that it is past.
  static bool takesRemainders(const StmtPtr &s) {
    bool found = false;
    forEachExpr(s, [&](const Expr &e) {
      if (e.kind == ExprKind::Index && e.args.size() == 2)
        found |= contains(e.args[1], [](const Expr &each) {
          return each.kind == ExprKind::Binary && each.op == "%";
        });
    });
    return found;
  }

  /// What is done inside beside what is done at the edges; null: nothing is known to be inside.
  StmtPtr apart(Interior &interior, const StmtPtr &s) const {
    if (takesRemainders(s))
      return nullptr;
    const StmtPtr inner = interior.of(s);
    const ExprPtr condition = interior.condition();
    if (inner == s || !condition)
      return nullptr;
    const VarPtr inside = newVariable("inside", Scalar::Bool);
    return block({declare(inside, condition),
                  ifThen(varRef(inside), of(withOwnVariables(inner)), block({s}))});
  }

  /// The loop without comparisons where none of its rounds needs them, as in a tile of the item's own.
  StmtPtr loopApart(const StmtPtr &s) const {
    const auto loop = plainLoop(*s);
    if (!loop || differs(loop->start))
      return nullptr;
    Interior interior(plan_, s, items_);
    return apart(interior, s);
  }

  /// The loop whose rounds are done without comparisons where they are inside.
  StmtPtr roundsApart(const StmtPtr &s) const {
    const auto loop = plainLoop(*s);
    const StmtPtr body = loop ? apartBy(loop->i, loop->body) : nullptr;
    if (!body)
      return nullptr;
    std::vector<StmtPtr> children = s->children;
    children[2] = body;
    return withChildren(s, std::move(children));
  }

  /// What is done for a number, if that is more than one element.
  StmtPtr apartBy(const VarPtr &number, const StmtPtr &body) const {
    if (!hasLoop(body))
      return nullptr;
    std::set<const Var *> unknown = items_;
    unknown.erase(number.get());
    AlignedNumbers aligned;
    if (warp_ > 1 && differing_.contains(number.get()))
      aligned[number.get()] = static_cast<std::int64_t>(warp_);
    Interior interior(plan_, body, unknown, aligned);
    return apart(interior, body);
  }

  bool differs(const ExprPtr &e) const {
    return contains(
        e, [&](const Expr &each) { return each.var && differing_.contains(each.var.get()); });
  }

  /// Whether a group's items go the same way, where something is apart by group.
  bool isOfGroup(const ExprPtr &condition) const {
    if (condition->kind == ExprKind::Binary && condition->op == "&&")
      return isOfGroup(condition->args[0]) && isOfGroup(condition->args[1]);
    return condition->kind == ExprKind::Var && condition->type.scalar == Scalar::Bool &&
           !differing_.contains(condition->var.get());
  }

  const LoweredPlan &plan_;
  std::set<const Var *> differing_;
  std::set<const Var *> items_; ///< their numbers
  std::uint64_t warp_;          ///< items that go together
};

} // namespace

LoweredPlan splitIndexSetsOfRounds(LoweredPlan plan, bool itemsAreLoops) {
  if (!itemsAreLoops) {
    plan.body = Rounds(plan).in(plan.body);
    return plan;
  }
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    return s->kind == StmtKind::Parallel ? lanesApart(plan, s) : rowsApart(plan, s);
  });
  return plan;
}

} // namespace tangram::codegen
