// Fusion of pieces: two pieces that the items of a group run one after the other become one, if no item accesses in one of
// them what another item writes in the other.
//
//   before: parallel w { A }  parallel w { B }      after: parallel w { A B }
//
// Then no barrier is needed between them, and what A leaves for B may stay in registers. Pieces of a single worker become one
// whatever they access. Branches that ask for the same condition, which the first of them leaves as it is, become one, too.
#include "codegen/analysis/accesses.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

StmtPtr replaceVariable(const StmtPtr &s, const VarPtr &from, const VarPtr &to) {
  if (!from || from == to)
    return s;
  return mapExprs(s, [&](const ExprPtr &e) {
    return rewrite(e, [&](const ExprPtr &each) { return each->var == from ? varRef(to) : each; });
  });
}

/// Whether `s` may change the value of `condition`, by an assignment or an atomic operation.
bool assigns(const StmtPtr &s, const ExprPtr &condition) {
  bool found = false;
  auto note = [&](const Expr &place) {
    const Var *written = place.kind == ExprKind::Var ? place.var.get() : place.args[0]->var.get();
    found |= contains(condition, [&](const Expr &e) { return e.var.get() == written; });
  };
  forEach(s, [&](const Stmt &each) {
    if (each.target)
      note(*each.target);
  });
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind == ExprKind::Atomic)
      note(*e.args[0]);
  });
  return found;
}

/// if (c) A  if (c) B  ->  if (c) { A B }, where A leaves c alone.
std::vector<StmtPtr> joinBranches(const std::vector<StmtPtr> &statements) {
  std::vector<StmtPtr> joined;
  for (const StmtPtr &s : statements) {
    StmtPtr last = joined.empty() ? nullptr : joined.back();
    bool same = last && last->kind == StmtKind::If && s->kind == StmtKind::If &&
                last->children.size() == 1 && s->children.size() == 1 &&
                sameExpr(last->value, s->value) && !assigns(last->children[0], s->value);
    if (!same) {
      joined.push_back(s);
      continue;
    }
    std::vector<StmtPtr> both = last->children[0]->children;
    both.insert(both.end(), s->children[0]->children.begin(), s->children[0]->children.end());
    joined.back() = withChildren(last, {block(joinBranches(both))});
  }
  return joined;
}

/// Whether the first worker alone does all of `s`.
bool runsOnFirstWorker(const LoweredPlan &plan, const StmtPtr &s) {
  if (s->kind == StmtKind::Comment)
    return true;
  if (s->kind != StmtKind::Parallel || s->span != Span::One || s->var)
    return false;
  return plan.role(s->level) == Role::Item ||
         std::ranges::all_of(s->children[0]->children,
                             [&](const StmtPtr &each) { return runsOnFirstWorker(plan, each); });
}

/// Whether one worker does both, so that it needs nobody to see in the second what it wrote in the first.
bool bothRunOnFirstWorker(const LoweredPlan &plan, const StmtPtr &a, const StmtPtr &b) {
  return a->kind == StmtKind::Parallel && b->kind == StmtKind::Parallel && a->level == b->level &&
         runsOnFirstWorker(plan, a) && runsOnFirstWorker(plan, b);
}

bool samePiece(const LoweredPlan &plan, const Stmt &a, const Stmt &b) {
  if (a.kind != StmtKind::Parallel || b.kind != StmtKind::Parallel || a.level != b.level ||
      a.span != b.span)
    return false;
  return plan.role(a.level) == Role::Item && a.span != Span::Turns;
}

std::vector<StmtPtr> join(const LoweredPlan &plan, const std::vector<StmtPtr> &statements) {
  std::vector<StmtPtr> joined;
  std::size_t open = 0; // position in `joined` of the piece that may grow, plus one
  std::vector<StmtPtr> comments;
  for (const StmtPtr &s : statements) {
    if (s->kind == StmtKind::Comment && open == joined.size() && open != 0) {
      comments.push_back(s);
      continue;
    }
    StmtPtr last = open != 0 ? joined[open - 1] : nullptr;
    const bool onFirst = last && bothRunOnFirstWorker(plan, last, s);
    if (onFirst || (last && samePiece(plan, *last, *s) &&
                    !conflict(accessesOf(plan, last), accessesOf(plan, s)))) {
      std::vector<StmtPtr> both = last->children[0]->children;
      both.insert(both.end(), comments.begin(), comments.end());
      StmtPtr next = replaceVariable(s, s->var, last->var);
      both.insert(both.end(), next->children[0]->children.begin(),
                  next->children[0]->children.end());
      joined[open - 1] = withChildren(
          last, {block(onFirst ? join(plan, joinBranches(both)) : joinBranches(both))});
      comments.clear();
      continue;
    }
    joined.insert(joined.end(), comments.begin(), comments.end());
    comments.clear();
    joined.push_back(s);
    open = s->kind == StmtKind::Parallel ? joined.size() : 0;
  }
  joined.insert(joined.end(), comments.begin(), comments.end());
  return joined;
}

} // namespace

LoweredPlan fusePieces(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) {
    return s->kind == StmtKind::Block ? withChildren(s, join(plan, s->children)) : s;
  });
  return plan;
}

} // namespace tangram::codegen
