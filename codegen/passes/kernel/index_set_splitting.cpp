#include "codegen/passes/kernel/index_set_splitting.h"

#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "algebra/wrapping.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "ir/expression_length.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Who goes from 0 to below a number, inside of the loop.
using Ranges = std::map<VarPtr, ExprPtr>;

/// A comparison of something linear with something that stays: of counter * factor + grown + constant
/// with `limit`.
struct Sides {
  ExprPtr factor;
  ExprPtr grown;
  std::int64_t constant;
  ExprPtr limit;
};

/// The rounds of one loop that are inside, and what is done in them.
class Inside {
public:
  /// `whole`: the loop, or lanes that are one.
  Inside(const LoweredPlan &plan, const Stmt &whole, const CountedLoop &loop)
      : plan_(plan), whole_(whole), loop_(loop), changing_(changedIn(loop)), facts_(plan.proofs) {
    assumePlan(facts_, plan);
    forEach(loop.body, [&](const Stmt &s) {
      noteRange(s);
      noteName(s);
    });
  }

  /// The loops that replace this one, or none where nothing is past any end.
  std::optional<LoopParts> split() {
    const StmtPtr decided = mapExprs(loop_.body, [&](const ExprPtr &e) { return inside(e); });
    if (from_.empty() && to_.empty())
      return std::nullopt;
    const StmtPtr body = simplify(
        mapExprs(decided,
                 [&](const ExprPtr &e) {
                   return rewrite(e, [&](const ExprPtr &each) { return withElements(each); });
                 }),
        {.proofs = plan_.proofs});
    std::vector<StmtPtr> loops;
    ExprPtr begin = intLiteral(0);
    if (!from_.empty())
      begin = named(loops, "inside", minOf(mostOf(from_, maxOf), loop_.bound));
    ExprPtr end = loop_.bound;
    if (!to_.empty())
      end = named(loops, "outside", maxOf(begin, minOf(mostOf(to_, minOf), loop_.bound)));
    if (!from_.empty())
      loops.push_back(part(loop_.body, intLiteral(0), begin));
    const std::size_t inner = loops.size();
    const StmtPtr middle = part(body, begin, end);
    loops.push_back(
        middle->kind == StmtKind::For ? unrolledLoop(middle, whole_.unroll, whole_.lanes) : middle);
    if (!to_.empty())
      loops.push_back(part(loop_.body, end, loop_.bound));
    return LoopParts{loops, inner};
  }

private:
  void noteRange(const Stmt &s) {
    if (s.kind == StmtKind::Parallel && s.span == Span::All && stays(s.value)) {
      ranges_[s.var] = s.value;
    } else if (const auto inner = s.kind == StmtKind::For ? countedLoop(s) : std::nullopt;
               inner && inner->isPlain() && stays(inner->bound) &&
               !assigns(inner->body, inner->i.get())) {
      ranges_[inner->i] = inner->bound;
    }
  }

  /// What a round names, where neither the name nor what it is made of is given another value in it.
  void noteName(const Stmt &s) {
    if (s.kind != StmtKind::Decl || !s.value || s.var->type.scalar != Scalar::Index ||
        assigns(loop_.body, s.var.get()))
      return;
    const ExprPtr value = substitute(s.value, names_);
    if (isLongerThan(value, mostNodesOfMeaning))
      return;
    const bool changes = contains(value, [&](const Expr &e) {
      const bool isFixed = !e.var || ranges_.contains(e.var) || !assigns(loop_.body, e.var.get());
      return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic || !isFixed;
    });
    if (changes)
      return;
    names_[s.var.get()] = value;
    facts_.define(s.var, facts_.unwrapped(value));
  }

  bool stays(const ExprPtr &e) const { return staysInRounds(plan_, e, changing_); }

  /// `e` where what is accessed is as it is inside; the conditions for that are noted.
  ExprPtr inside(const ExprPtr &e, bool accesses = false) {
    if (e->args.empty())
      return e;
    // Subscripts, and what says whether there is an element.
    const bool chooses = e->kind == ExprKind::Select &&
                         contains(e, [](const Expr &each) { return each.kind == ExprKind::Index; });
    std::vector<ExprPtr> args;
    for (std::size_t i = 0; i < e->args.size(); ++i)
      args.push_back(
          inside(e->args[i], e->kind == ExprKind::Index ? i > 0 : accesses || (chooses && i == 0)));
    const ExprPtr now = withArgs(e, std::move(args));
    const bool orders = now->kind == ExprKind::Binary && now->op.isComparison() &&
                        now->op != "==" && now->op != "!=" &&
                        now->args[0]->type.scalar == Scalar::Index;
    const bool extreme = now->kind == ExprKind::Call &&
                         (now->callee == "min" || now->callee == "max") &&
                         now->type.scalar == Scalar::Index;
    if (accesses && extreme)
      return chosen(now);
    return accesses && orders ? decided(now) : now;
  }

  /// Whether there are elements at all: some number is below theirs, inside.
  ExprPtr withElements(const ExprPtr &e) const {
    const bool asks = e->kind == ExprKind::Binary && e->op == "<" && isLiteral(e->args[0], 0);
    const bool some = asks && std::ranges::any_of(to_, [&](const Sides &each) {
                        return each.constant >= 0 && sameExpr(each.limit, e->args[1]);
                      });
    return some ? intLiteral(1, Scalar::Bool) : e;
  }

  /// The one of two numbers that grows.
  ExprPtr chosen(const ExprPtr &e) {
    for (const std::size_t at : {0, 1}) {
      const ExprPtr &grows = e->args[at];
      auto sides = compared(grows, e->args[1 - at]);
      if (!sides || (e->callee == "max" && mayWrap(e->args[1 - at])))
        continue;
      if (!noteExact(grows))
        continue;
      if (e->callee == "min")
        sides->constant -= 1;
      note(*sides, e->callee == "max");
      return grows;
    }
    return e;
  }

  /// A comparison with a constant is one with the beginning, another one with the end.
  ExprPtr decided(const ExprPtr &e) {
    ExprPtr left = e->args[0];
    ExprPtr right = e->args[1];
    // Whether x has to be less; or, the other way round, no less.
    bool below = e->op == "<" || e->op == "<=";
    const bool orEqual = e->op == "<=" || e->op == ">=";
    auto sides = compared(left, right);
    if (!sides) {
      std::swap(left, right);
      below = !below;
      sides = compared(left, right);
    }
    if (!sides)
      return e;
    // x <= limit as x - 1 < limit, and x > limit as x - 1 >= limit.
    if (below == orEqual)
      sides->constant -= 1;
    const bool beginning = sides->limit->kind == ExprKind::Literal;
    if ((beginning && mayWrap(right)) || !noteExact(left))
      return e;
    note(*sides, beginning);
    return intLiteral(below != beginning ? 1 : 0, Scalar::Bool);
  }

  /// Rounds from the one on (`beginning`), or before the one, in which counter * factor + grown +
  /// constant >= limit for all who are in them. Of sides that differ by a number the one that decides
  /// is kept.
  void note(Sides s, bool beginning) {
    s.grown = simplify(substitute(s.grown, ends(!beginning)), {.proofs = plan_.proofs});
    const auto decides = [&](const Sides &mine, const Sides &other) {
      const Sides &less = beginning ? mine : other;
      const Sides &more = beginning ? other : mine;
      return facts_.isNonNegative(facts_.of(leftOf(more, less)) - facts_.of(leftOf(less, more)));
    };
    std::vector<Sides> &among = beginning ? from_ : to_;
    for (Sides &each : among) {
      if (!sameExpr(each.limit, s.limit) || !sameExpr(each.factor, s.factor))
        continue;
      if (decides(each, s))
        return;
      if (decides(s, each)) {
        each = s;
        return;
      }
    }
    among.push_back(s);
  }

  /// grown + constant, and what makes the constants of both no less than 0.
  static ExprPtr leftOf(const Sides &s, const Sides &other) {
    const std::int64_t least = std::min({s.constant, other.constant, std::int64_t{0}});
    return add(s.grown, intLiteral(s.constant - least));
  }

  /// The first round in which counter * factor + grown + constant >= limit.
  static ExprPtr round(const Sides &s) {
    const ExprPtr left = simplify(add(s.grown, intLiteral(std::max<std::int64_t>(s.constant, 0))));
    const ExprPtr right = add(s.limit, intLiteral(std::max<std::int64_t>(-s.constant, 0)));
    const ExprPtr missing = sub(maxOf(right, left), left);
    return simplify(binary("/", sub(add(missing, s.factor), intLiteral(1)), s.factor));
  }

  Substitution ends(bool last) const {
    Substitution with;
    for (const auto &[var, count] : ranges_)
      with[var.get()] = last ? sub(maxOf(count, intLiteral(1)), intLiteral(1)) : intLiteral(0);
    return with;
  }

  /// Rounds inside are those in which what grows has not wrapped around below 0; false where it cannot be said which these
  /// are.
  bool noteExact(const ExprPtr &grows) {
    if (!mayWrap(substitute(grows, names_)))
      return true;
    const auto sides = compared(grows, intLiteral(0));
    if (sides)
      note(*sides, true);
    return sides.has_value();
  }

  /// What grows with the rounds, and a limit: nothing where the counter is not linear in it, or something else changes
  /// that does not go from 0 upwards and come in with a positive factor. Where a limit is a difference that has wrapped
  /// around, no round is found to be before it.
  std::optional<Sides> compared(const ExprPtr &grows, const ExprPtr &limit) {
    if (!stays(limit))
      return std::nullopt;
    forEach(grows, [&](const Expr &e) {
      if (e.kind == ExprKind::Var)
        facts_.of(
            varRef(e.var)); // numbered, and so printed, in the order in which they are written
    });
    const Polynomial larger = facts_.unwrapped(grows);
    const Polynomial smaller = facts_.unwrapped(limit);
    if (facts_.mayWrap(larger) || facts_.mayWrap(smaller))
      return std::nullopt;
    const Polynomial difference = larger - smaller;
    const Split rounds = splitBy(difference, atomOf(loop_.i));
    const ExprPtr factor = facts_.expression(rounds.coefficient);
    if (difference.overflowed() || !rounds.linear || !isFactor(factor) ||
        !growsWithRanges(rounds.rest))
      return std::nullopt;
    const std::int64_t constant = rounds.rest.constant();
    const Polynomial others = rounds.rest - constant;
    Polynomial grown;
    Polynomial taken;
    for (const auto &[monomial, coefficient] : others.terms())
      (coefficient > 0 ? grown : taken).addTerm(monomial, std::abs(coefficient));
    return Sides{factor, simplify(facts_.expression(grown)), constant,
                 simplify(facts_.expression(taken))};
  }

  Atom atomOf(const VarPtr &var) { return facts_.of(varRef(var)).atom(); }

  bool isFactor(const ExprPtr &e) const { return e && isCount(plan_, e) && stays(e); }

  /// Whether nothing changes in it but what goes from 0 upwards, each with a positive factor.
  bool growsWithRanges(Polynomial p) {
    for (const auto &[var, count] : ranges_) {
      const Split split = splitBy(p, atomOf(var));
      if (!split.linear ||
          !(split.coefficient.isZero() || isFactor(facts_.expression(split.coefficient))))
        return false;
      p = split.rest;
    }
    const ExprPtr others = facts_.expression(p);
    return others && stays(others);
  }

  static ExprPtr mostOf(const std::vector<Sides> &of, ExprPtr (*better)(ExprPtr, ExprPtr)) {
    ExprPtr result = round(of.front());
    for (std::size_t i = 1; i < of.size(); ++i)
      result = better(result, round(of[i]));
    return simplify(result);
  }

  static ExprPtr named(std::vector<StmtPtr> &into, const char *name, const ExprPtr &value) {
    const ExprPtr known = simplify(value);
    if (known->kind == ExprKind::Var || known->kind == ExprKind::Literal)
      return known;
    const VarPtr variable = newVariable(name);
    into.push_back(declare(variable, known));
    return varRef(variable);
  }

  StmtPtr part(const StmtPtr &body, const ExprPtr &begin, const ExprPtr &end) const {
    const VarPtr i = newVariable(loop_.i->name, Scalar::Index, loop_.i->kind);
    const auto from = [&](const ExprPtr &at) {
      return withOwnVariables(substitute(body, {{loop_.i.get(), at}}));
    };
    if (whole_.kind == StmtKind::Parallel)
      return parallel(whole_.level, whole_.span, i, simplify(sub(end, begin)),
                      simplify(from(add(begin, varRef(i)))), whole_.location);
    return countingLoop(i, end, from(varRef(i)), begin);
  }

  const LoweredPlan &plan_;
  const Stmt &whole_;
  const CountedLoop &loop_;
  std::set<const Var *> changing_;
  Inequalities facts_; ///< of the plan
  Ranges ranges_;
  Substitution names_; ///< what numbers are that a round names
  std::vector<Sides> from_;
  std::vector<Sides> to_;
};

/// Whether a loop over such rounds is split: with no other one inside, and no way out but the end.
bool isInnermost(const LoweredPlan &plan, const StmtPtr &round) {
  bool stays = true;
  forEach(round, [&](const Stmt &each) {
    stays &= each.kind != StmtKind::Break && each.kind != StmtKind::Continue &&
             each.kind != StmtKind::Return;
  });
  return stays && hasOnlyShortLoops(plan, round);
}

/// A loop that is split: by ones, whose rounds are counted by a call.
std::optional<CountedLoop> longLoop(const LoweredPlan &plan, const StmtPtr &s) {
  auto loop = loopUpTo(*s);
  const bool fits = loop && loop->isPlain() && loop->i->type.scalar == Scalar::Index &&
                    !isShort(plan, loop->bound) && !assigns(loop->body, loop->i.get()) &&
                    isInnermost(plan, loop->body);
  return fits ? loop : std::nullopt;
}

} // namespace

std::optional<LoopParts> splitLoop(const LoweredPlan &plan, const StmtPtr &s) {
  const auto loop = longLoop(plan, s);
  return loop ? Inside(plan, *s, *loop).split() : std::nullopt;
}

std::optional<LoopParts> splitLanes(const LoweredPlan &plan, const StmtPtr &s) {
  if (s->kind != StmtKind::Parallel || s->span == Span::One || !s->var ||
      plan.role(s->level) < Role::Item || isShort(plan, s->value) ||
      !isInnermost(plan, s->children[0]))
    return std::nullopt;
  const CountedLoop lanes{s->var, intLiteral(0), s->value, intLiteral(1), s->children[0]};
  return Inside(plan, *s, lanes).split();
}

LoweredPlan splitIndexSets(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const auto parts = splitLoop(plan, s);
    return parts ? block(parts->all) : s;
  });
  return plan;
}

} // namespace tangram::codegen
