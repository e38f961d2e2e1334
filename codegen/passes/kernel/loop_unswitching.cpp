// Loop unswitching: a branch whose condition no round changes moves out of the innermost loop. Compilers do that where the
// body is small; of a large body with a branch they make no vectors.
#include "codegen/analysis/counted_loops.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

namespace tangram::codegen {

using namespace ir;

namespace {

/// The branch that a round consists of, or null.
StmtPtr onlyBranch(const StmtPtr &body) {
  StmtPtr only;
  for (const StmtPtr &s : withoutBlocks({body})) {
    if (s->kind == StmtKind::Comment)
      continue;
    if (only || s->kind != StmtKind::If)
      return nullptr;
    only = s;
  }
  return only;
}

} // namespace

LoweredPlan unswitchLoops(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const auto loop = s->kind == StmtKind::For && s->lanes == 0 ? loopToTheEnd(*s) : std::nullopt;
    const StmtPtr branch = loop && isOfInnermostLoop(loop->body) ? onlyBranch(loop->body) : nullptr;
    if (!branch || !staysInRounds(plan, branch->value, changedIn(*loop)))
      return s;
    std::vector<StmtPtr> loops;
    for (const StmtPtr &each : branch->children) {
      const StmtPtr rounds = withChildren(s, {s->children[0], s->children[1], each});
      loops.push_back(each ? block({withOwnVariables(rounds)}) : nullptr);
    }
    return withChildren(branch, std::move(loops));
  });
  return plan;
}

} // namespace tangram::codegen
