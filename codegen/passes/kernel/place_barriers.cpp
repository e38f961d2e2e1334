// Barrier placement: a barrier stands in front of the first statement that may conflict with what items of the group have
// accessed since they last met: two items access the same memory, and one of them writes.
//
//   before: parallel w { t[w] = f(w); }           parallel w { out[w] = t[w + 1]; }
//   after:  parallel w { t[w] = f(w); }  barrier  parallel w { out[w] = t[w + 1]; }
//
// A walk goes through a group's code in order and keeps the accesses since the last barrier, through a loop until they stay
// the same. Barriers stand between pieces, in code that all items execute, never in a branch that some take.
// codegen/analysis/item_footprints.h proves which accesses are apart; docs/lowering.md, "Where barriers are", has the rest.
#include "codegen/analysis/item_footprints.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

unsigned barriersIn(const StmtPtr &s) {
  unsigned count = 0;
  forEach(s, [&](const Stmt &each) { count += each.kind == StmtKind::Barrier ? 1 : 0; });
  return count;
}

/// Walks a group's code in order, remembering what was touched since the items last
/// met, and makes them meet where the next statement may conflict with that.
class Placement {
public:
  Placement(const LoweredPlan &plan, int level, ItemFootprints &footprints)
      : plan_(plan), level_(level), footprints_(footprints) {}

  StmtPtr run(const StmtPtr &s, bool isTurn = false) {
    if (!s)
      return s;
    switch (s->kind) {
    case StmtKind::Block: {
      std::vector<StmtPtr> children;
      const auto *outer = std::exchange(turn_, isTurn ? &children : nullptr);
      for (const StmtPtr &child : s->children)
        step(child, children);
      turn_ = outer;
      return withChildren(s, std::move(children));
    }
    default: {
      std::vector<StmtPtr> children;
      step(s, children);
      return children.size() == 1 ? children[0] : block(std::move(children));
    }
    }
  }

  /// A group that takes several turns, one for each element of the map it is started for. Other
  /// groups do other turns without ever meeting this one, so that turns cannot conflict but
  /// through the memory of the group.
  StmtPtr runInTurns(const StmtPtr &body) {
    Accesses entry;
    StmtPtr placed;
    for (bool grown = true; grown;) {
      pending_ = entry;
      placed = run(body, true);
      std::erase_if(pending_, [&](const Access &a) { return isGlobal(a.buffer); });
      grown = grow(entry, pending_);
    }
    return placed;
  }

private:
  void step(const StmtPtr &s, std::vector<StmtPtr> &out) {
    switch (s->kind) {
    case StmtKind::Block:
      out.push_back(run(s));
      return;
    case StmtKind::If:
      touch(readsOf(s->value), out);
      out.push_back(branches(s));
      return;
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
      out.push_back(loop(s, out));
      return;
    case StmtKind::Break:
      add(jumps_->broken, pending_);
      out.push_back(s);
      return;
    case StmtKind::Continue: // what the end of the body does for the next round is done here
      touch(jumps_->next, out);
      touch(jumps_->head, out);
      add(jumps_->continued, pending_);
      out.push_back(s);
      return;
    case StmtKind::Barrier: // of a hand-over between groups
      pending_.clear();
      out.push_back(s);
      return;
    default:
      touch(accessesOf(plan_, s), out);
      out.push_back(isWarp(s) ? inWarp(s) : s);
    }
  }

  bool isWarp(const StmtPtr &s) const {
    return s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Warp;
  }

  /// The statement of warps with barriers inside: each warp has barriers of its own.
  StmtPtr inWarp(const StmtPtr &s) const {
    Placement own(plan_, s->level, footprints_);
    return withChildren(
        s, {s->span == Span::Turns ? own.runInTurns(s->children[0]) : own.run(s->children[0])});
  }

  void touch(const Accesses &next, std::vector<StmtPtr> &out) {
    if (conflict(pending_, next,
                 [&](const Access &a, const Access &b) { return footprints_.differ(a, b); })) {
      const bool isFirst = &out == turn_ && std::ranges::all_of(out, [&](const StmtPtr &s) {
        return s->kind == StmtKind::Comment ||
               (s->kind == StmtKind::Decl && accessesOf(plan_, s).empty());
      });
      out.insert(isFirst ? out.begin() : out.end(), barrier(level_));
      pending_.clear();
    }
    pending_.insert(pending_.end(), next.begin(), next.end());
  }

  StmtPtr branches(const StmtPtr &s) {
    Accesses before = pending_;
    Accesses after;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children) {
      pending_ = before;
      children.push_back(run(child));
      if (!endsInJump(child))
        add(after, pending_);
    }
    if (s->children.size() < 2)
      add(after, before);
    pending_ = after;
    return withChildren(s, std::move(children));
  }

  /// The body runs after what came before the loop and after itself; the condition
  /// reads before every round, so that a conflict with it is met at the end of the body.
  /// One barrier before the loop stands for those that each round needs for that alone.
  StmtPtr loop(const StmtPtr &s, std::vector<StmtPtr> &out) {
    if (s->kind == StmtKind::For && s->children[0])
      touch(accessesOf(plan_, s->children[0]), out);
    const Accesses head = s->value ? readsOf(s->value) : Accesses{};
    touch(head, out);
    StmtPtr late = rounds(s, head);
    const Accesses after = std::exchange(pending_, head);
    StmtPtr early = rounds(s, head);
    if (barriersIn(early) < barriersIn(late)) {
      out.push_back(barrier(level_));
      return early;
    }
    pending_ = after;
    return late;
  }

  /// The loop, entered with what is pending.
  StmtPtr rounds(const StmtPtr &s, const Accesses &head) {
    Accesses entry = pending_;
    const std::size_t bodyAt = s->kind == StmtKind::For ? 2 : 0;
    const Accesses next =
        s->kind == StmtKind::For && s->children[1] ? accessesOf(plan_, s->children[1]) : Accesses{};
    std::vector<StmtPtr> children = s->children;
    Jumps jumps{next, head, {}, {}};
    Jumps *outer = std::exchange(jumps_, &jumps);
    for (bool grown = true; grown;) {
      pending_ = entry;
      std::vector<StmtPtr> body{run(s->children[bodyAt])};
      touch(next, body);
      touch(head, body);
      children[bodyAt] = block(std::move(body));
      grown = grow(entry, pending_);
      grown |= grow(entry, jumps.continued);
    }
    jumps_ = outer;
    pending_ = entry; // the loop may not run at all
    grow(pending_, jumps.broken);
    return withChildren(s, std::move(children));
  }

  static bool endsInJump(const StmtPtr &s) {
    if (s->kind == StmtKind::Block)
      return !s->children.empty() && endsInJump(s->children.back());
    return s->kind == StmtKind::Break || s->kind == StmtKind::Continue;
  }

  static void add(Accesses &to, const Accesses &more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  /// Adds what is not in `known` yet; whether there was any.
  static bool grow(Accesses &known, const Accesses &more) {
    const std::size_t before = known.size();
    for (const Access &a : more) {
      if (!holds(known, a))
        known.push_back(a);
    }
    return known.size() > before;
  }

  bool isGlobal(const Var *buffer) const {
    return std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [&](const Buffer &each) {
      return each.var.get() == buffer && each.space == Space::Global;
    });
  }

  static bool holds(const Accesses &known, const Access &a) {
    return std::any_of(known.begin(), known.end(), [&](const Access &b) {
      return a.buffer == b.buffer && a.write == b.write && a.by == b.by && a.atomic == b.atomic &&
             a.site == b.site && a.piece == b.piece;
    });
  }

  /// Of the loop around the code at hand, which all items leave or continue together.
  struct Jumps {
    Accesses next;      ///< what follows the body in each round
    Accesses head;      ///< what is read before each round
    Accesses broken;    ///< pending where the loop is left
    Accesses continued; ///< pending where a round is cut short
  };

  const LoweredPlan &plan_;
  int level_;
  ItemFootprints &footprints_;
  Accesses pending_;
  Jumps *jumps_ = nullptr;
  /// The body of a turn, as far as it is walked. A barrier that only numbers stand before begins the turn: with
  /// some that are made before it and used behind it, PoCL 3.1 makes of a turn what never ends.
  const std::vector<StmtPtr> *turn_ = nullptr;
};

} // namespace

LoweredPlan placeBarriers(LoweredPlan plan) {
  const LoweredPlan before = plan; // its statements are looked at until the end
  ItemFootprints footprints(before);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Parallel || plan.role(s->level) != Role::Group)
      return s;
    Placement placement(plan, s->level, footprints);
    return withChildren(s, {s->span == Span::Turns ? placement.runInTurns(s->children[0])
                                                   : placement.run(s->children[0])});
  });
  return plan;
}

unsigned countBarriers(const LoweredPlan &plan) { return barriersIn(plan.body); }

} // namespace tangram::codegen
