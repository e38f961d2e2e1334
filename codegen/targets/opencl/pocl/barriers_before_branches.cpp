// before: if (c) { barrier; A }
// after:  barrier; if (c) { A }
//
// Where a group decides together by something that is in no memory. PoCL 3.1 computes wrong values
// behind some branches that begin with a barrier. Where only numbers stand before it in a turn of the group, it begins
// the turn, as other barriers do (codegen/passes/kernel/place_barriers.cpp).
#include "codegen/form/building.h"
#include "codegen/targets/opencl/pocl/passes.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The barrier that `s` begins with, or null.
StmtPtr firstOf(const StmtPtr &s) {
  if (!s)
    return nullptr;
  if (s->kind == StmtKind::Block)
    return s->children.empty() ? nullptr : firstOf(s->children.front());
  return s->kind == StmtKind::Barrier ? s : nullptr;
}

/// `s`, which is a block, without its first statement.
StmtPtr withoutFirst(const StmtPtr &s) {
  std::vector<StmtPtr> children = s->children;
  if (children.front()->kind == StmtKind::Block)
    children.front() = withoutFirst(children.front());
  else
    children.erase(children.begin());
  return withChildren(s, std::move(children));
}

bool isAboutMemory(const ExprPtr &e) {
  return contains(e, [](const Expr &each) {
    return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic;
  });
}

bool isNumber(const Stmt &s) {
  return s.kind == StmtKind::Comment ||
         (s.kind == StmtKind::Decl && (!s.value || !isAboutMemory(s.value)));
}

/// The body of a turn.
StmtPtr beginsTurn(const StmtPtr &body) {
  std::vector<StmtPtr> statements = withoutBlocks({body});
  const auto first =
      std::ranges::find_if(statements, [](const StmtPtr &s) { return !isNumber(*s); });
  if (first == statements.end() || (*first)->kind != StmtKind::Barrier)
    return body;
  std::rotate(statements.begin(), first, std::next(first));
  return block(std::move(statements));
}

} // namespace

LoweredPlan moveBarriersBeforeBranches(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const bool isTurn = s->kind == StmtKind::Parallel && s->span == Span::Turns &&
                        plan.role(s->level) == Role::Group;
    if (isTurn)
      return withChildren(s, {beginsTurn(s->children[0])});
    if (s->kind != StmtKind::If || isAboutMemory(s->value))
      return s;
    StmtPtr meeting;
    std::vector<StmtPtr> branches = s->children;
    for (StmtPtr &branch : branches) {
      if (const StmtPtr first = firstOf(branch); first && branch->kind == StmtKind::Block) {
        meeting = first;
        branch = withoutFirst(branch);
      }
    }
    return meeting ? block({meeting, withChildren(s, std::move(branches))}) : s;
  });
  return plan;
}

} // namespace tangram::codegen
