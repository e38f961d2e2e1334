#include "codegen/analysis/round_footprints.h"

#include "algebra/overlap.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/analysis/plan_facts.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

// As of items: names stand for expressions of names, and what is larger than this may conflict.
constexpr std::size_t largestFootprint = 1500; // nodes of the expressions of one pair
constexpr std::size_t mostOfPlan = 40'000;     // of all pairs of a plan
constexpr std::size_t mostPairs = 400;         // of a loop
// The number of goals that the first proof of a pair may look at, which knows nothing from around the loop: most such proofs
// that exist are found with fewer goals, and a longer search for the others takes most of the time.
constexpr unsigned littleEffort = 20;

/// Walks a round and finds its accesses.
class Reading {
public:
  explicit Reading(const StmtPtr &body) : own_(arraysDeclaredIn(body)) {}

  void walk(const StmtPtr &s) {
    if (!s)
      return;
    forEachOwnExpr(*s, [&](const ExprPtr &e) {
      const bool isTarget = s->kind == StmtKind::Assign && e == s->target;
      read(e, isTarget);
    });
    if (s->kind == StmtKind::If) {
      for (std::size_t i = 0; i < s->children.size(); ++i) {
        here_.conditions.emplace_back(s->value, i == 0);
        walk(s->children[i]);
        here_.conditions.pop_back();
      }
      return;
    }
    const auto loop = s->kind == StmtKind::For ? countedLoop(*s) : std::nullopt;
    const bool counts =
        loop && loop->i->type.scalar == Scalar::Index && !assigns(loop->body, loop->i.get());
    if (counts)
      here_.loops.push_back(*loop);
    for (const StmtPtr &child : s->children)
      walk(child);
    if (counts)
      here_.loops.pop_back();
  }

  std::vector<RoundAccess> found;

private:
  void read(const ExprPtr &e, bool isTarget) {
    if (e->kind == ExprKind::Select) {
      read(e->args[0], false);
      for (std::size_t i = 1; i < 3; ++i) {
        here_.conditions.emplace_back(e->args[0], i == 1);
        read(e->args[i], false);
        here_.conditions.pop_back();
      }
      return;
    }
    if (e->kind == ExprKind::Index && !own_.contains(e->args[0]->var.get())) {
      found.push_back(here_);
      found.back().element = e;
      found.back().write = isTarget;
    }
    for (const ExprPtr &arg : e->args)
      read(arg, false);
  }

  RoundAccess here_;
  std::set<const Var *> own_;
};

/// Whether it is made of statements that rounds can do side by side, and nothing that was declared outside is assigned.
bool isOfRounds(const StmtPtr &body) {
  std::set<const Var *> own;
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl)
      own.insert(s.var.get());
  });
  bool fits = true;
  forEach(body, [&](const Stmt &s) {
    fits &= s.kind != StmtKind::Parallel && s.kind != StmtKind::Barrier &&
            s.kind != StmtKind::Eval && s.kind != StmtKind::Return;
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
      fits &= own.contains(s.target->var.get());
  });
  forEachExpr(body, [&](const Expr &e) {
    fits &= e.kind != ExprKind::Atomic &&
            (e.kind != ExprKind::Index || e.args[0]->kind == ExprKind::Var);
  });
  return fits;
}

} // namespace

std::vector<RoundAccess> accessesOfRound(const CountedLoop &loop) {
  Reading reading(loop.body);
  reading.walk(loop.body);
  return reading.found;
}

/// What the names of a round mean, whose number is `round`.
struct RoundFootprints::Side {
  ExprPtr round;
  std::map<const Var *, ExprPtr> loops; ///< inside of it
};

/// Of one pair of accesses.
class RoundFootprints::Proof {
public:
  /// `around`: what is known around the loop, too; else names from outside are just the same in all rounds.
  Proof(RoundFootprints &footprints, const CountedLoop &loop, const std::vector<Around> *around,
        unsigned effort)
      : all_(footprints), loop_(loop), changing_(changedIn(loop)), looksAround_(around),
        limit_(footprints.work_ + largestFootprint),
        facts_(Inequalities::Divisors::Executed, effort, footprints.plan_.proofs) {
    assumePlan(facts_, all_.plan_);
    if (around)
      assumeAround(*around);
  }

  /// Whether a round and one after it touch different elements in `earlier` and `later`.
  bool differ(const RoundAccess &earlier, const RoundAccess &later) {
    Side first{varRef(newVariable("round")), {}};
    Side second{varRef(newVariable("round")), {}};
    facts_.assume(facts_.of(second.round) - facts_.of(first.round) - 1);
    assumeRange(first.round, second.round);
    assumeElements(earlier);
    assumeElements(later);
    const Lmad one = footprint(earlier, first);
    const Lmad other = footprint(later, second);
    return all_.work_ <= limit_ && disjoint(one, other, facts_);
  }

private:
  /// What the ends of the loop are made of is looked at in any case.
  void assumeRange(const ExprPtr &first, const ExprPtr &second) {
    const bool looks = std::exchange(looksAround_, true);
    assumeBelow(second, meaning(loop_.bound, {}));
    facts_.assume(facts_.of(first) - facts_.of(meaning(loop_.start, {})));
    looksAround_ = looks;
  }

  /// An array of which an element is accessed has one: none of its extents is 0.
  void assumeElements(const RoundAccess &access) {
    const Buffer *buffer = all_.plan_.bufferOf(access.element->args[0]->var);
    const std::function<void(const ExprPtr &)> assume = [&](const ExprPtr &count) {
      if (count->kind == ExprKind::Binary && count->op == "*") {
        assume(count->args[0]);
        assume(count->args[1]);
      } else if (count->type.scalar == Scalar::Index && all_.isSteady(count)) {
        facts_.assume(facts_.of(meaning(count, {})) - 1);
      }
    };
    if (buffer && buffer->count)
      assume(buffer->count);
  }

  void assumeAround(const std::vector<Around> &around) {
    const Side none;
    for (const Around &each : around) {
      const Stmt &s = *each.statement;
      if (s.kind == StmtKind::If && all_.isSteady(s.value)) {
        facts_.assumeCondition(meaning(s.value, none), each.child == 0);
      } else if (s.kind == StmtKind::Parallel && s.var && all_.isSteady(s.value)) {
        assumeBelow(varRef(s.var), meaning(s.value, none));
      } else if (const auto loop =
                     s.kind == StmtKind::For && each.child == 2 ? countedLoop(s) : std::nullopt;
                 loop && isOfWholeNumbers(*loop) && !all_.assigned_.contains(loop->i.get()) &&
                 all_.isSteady(loop->bound) && all_.isSteady(loop->start)) {
        assumeBelow(varRef(loop->i), meaning(loop->bound, none));
        facts_.assume(facts_.of(varRef(loop->i)) - facts_.of(meaning(loop->start, none)));
      }
    }
  }

  static bool isOfWholeNumbers(const CountedLoop &loop) {
    return loop.i->type.scalar == Scalar::Index;
  }

  void assumeBelow(const ExprPtr &less, const ExprPtr &bound) {
    facts_.assume(facts_.of(bound) - 1 - facts_.of(less));
  }

  ExprPtr meaning(const ExprPtr &e, const Side &side) {
    if (++all_.work_ > limit_)
      return varRef(newVariable("unknown", e->type.scalar));
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Atomic)
      return varRef(newVariable("read", e->type.scalar));
    if (e->kind == ExprKind::Var) {
      const Var *v = e->var.get();
      if (v == loop_.i.get() && side.round)
        return side.round;
      if (const auto inner = side.loops.find(v); inner != side.loops.end())
        return inner->second;
      const auto made = all_.definitions_.find(v);
      if (made != all_.definitions_.end() && (looksAround_ || changing_.contains(v)))
        return cast(v->type.scalar, meaning(made->second, side));
      return changing_.contains(v) ? varRef(newVariable("unknown", v->type.scalar)) : e;
    }
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(meaning(arg, side));
    return withArgs(e, std::move(args));
  }

  Lmad footprint(const RoundAccess &access, Side &side) {
    std::vector<std::pair<Atom, Polynomial>> rounds; // and how many
    for (const CountedLoop &loop : access.loops) {
      const ExprPtr round = varRef(newVariable("round"));
      const ExprPtr first = meaning(loop.start, side), step = meaning(loop.step, side);
      const Polynomial by = facts_.of(step);
      const Polynomial count = Polynomial::of(facts_.unknown());
      // first + round * step < end, for the last round as for this one.
      facts_.assume(by - 1);
      facts_.assume(facts_.of(meaning(loop.bound, side)) - 1 - facts_.of(first) - (count - 1) * by);
      facts_.assume(count - 1 - facts_.of(round));
      rounds.emplace_back(facts_.of(round).terms().begin()->first[0], count);
      side.loops[loop.i.get()] = binary("+", first, binary("*", round, step));
    }
    for (const auto &[condition, holds] : access.conditions)
      facts_.assumeCondition(meaning(condition, side), holds);
    return byRounds(facts_.of(meaning(access.element->args[1], side)), rounds);
  }

  RoundFootprints &all_;
  const CountedLoop &loop_;
  const std::set<const Var *> changing_;
  bool looksAround_;
  const std::size_t limit_;
  Inequalities facts_;
};

RoundFootprints::RoundFootprints(const LoweredPlan &plan, unsigned effort)
    : plan_(plan), effort_(effort) {
  std::set<const Var *> declared;
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && !declared.insert(s.var.get()).second)
      assigned_.insert(s.var.get());
  });
  collect(plan.body);
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.value && !s.var->extent && !assigned_.contains(s.var.get()) &&
        isSteady(s.value))
      definitions_[s.var.get()] = s.value;
  });
  forEach(plan.body, [&](const Stmt &s) {
    if (const auto loop = s.kind == StmtKind::For ? steppedLoop(s) : std::nullopt)
      definitions_.erase(loop->i.get());
  });
}

void RoundFootprints::collect(const StmtPtr &s) {
  if (!s)
    return;
  if (s->kind == StmtKind::Assign && s->target->kind == ExprKind::Var)
    assigned_.insert(s->target->var.get());
  const bool counts = s->kind == StmtKind::For && steppedLoop(*s);
  if (s->kind == StmtKind::For && !around_.emplace(s.get(), path_).second)
    twice_.insert(s.get());
  for (std::size_t i = 0; i < s->children.size(); ++i) {
    if (counts && i == 1)
      continue;
    path_.push_back({s.get(), i});
    collect(s->children[i]);
    path_.pop_back();
  }
}

bool RoundFootprints::isSteady(const ExprPtr &e) const {
  return !contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
           (each.var && assigned_.contains(each.var.get()));
  });
}

bool RoundFootprints::differ(const Stmt &s, const CountedLoop &loop, const RoundAccess &a,
                             const RoundAccess &b) {
  const auto inOrder = [&](const RoundAccess &earlier, const RoundAccess &later) {
    const std::vector<Around> *around = &around_[&s];
    return work_ < mostOfPlan && (Proof(*this, loop, nullptr, littleEffort).differ(earlier, later) ||
                                  Proof(*this, loop, around, effort_).differ(earlier, later) ||
                                  (effort_ > littleEffort &&
                                   Proof(*this, loop, nullptr, effort_).differ(earlier, later)));
  };
  return inOrder(a, b) && (&a == &b || inOrder(b, a));
}

bool RoundFootprints::areApart(const Stmt &s) {
  const auto loop = loopToTheEnd(s);
  if (!loop || !isLiteral(loop->step, 1) || loop->i->type.scalar != Scalar::Index ||
      !isSteady(loop->start) || twice_.contains(&s) || !around_.contains(&s) ||
      assigned_.contains(loop->i.get()) || !isOfRounds(loop->body))
    return false;
  const std::vector<RoundAccess> accesses = accessesOfRound(*loop);
  std::size_t pairs = 0;
  for (auto written = accesses.begin(); written != accesses.end(); ++written) {
    if (!written->write)
      continue;
    for (auto other = accesses.begin(); other != accesses.end(); ++other) {
      const bool asked = other->write && other < written; // the other way round
      if (asked || other->element->args[0]->var != written->element->args[0]->var)
        continue;
      if (++pairs > mostPairs || !differ(s, *loop, *written, *other))
        return false;
    }
  }
  return pairs > 0;
}

} // namespace tangram::codegen
