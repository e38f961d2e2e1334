#include "codegen/passes/kernel/unreachable_code.h"

#include "algebra/simplify.h"
#include "codegen/analysis/atomics.h"
#include "codegen/form/building.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isFalse(const ExprPtr &condition, const std::shared_ptr<algebra::Proofs> &proofs) {
  return condition && isLiteral(algebra::simplify(condition, {.proofs = proofs}), 0);
}

/// Whether the condition of a loop does not hold at its beginning.
bool hasNoRound(const Stmt &loop, const std::shared_ptr<algebra::Proofs> &proofs) {
  if (loop.kind == StmtKind::While || !loop.children[0])
    return isFalse(loop.value, proofs);
  const Stmt &start = *loop.children[0];
  if (!loop.value || start.kind != StmtKind::Decl || !start.value || atomicIn(start.value))
    return false;
  const ExprPtr first = cast(start.var->type.scalar, start.value);
  return isFalse(substitute(loop.value, {{start.var.get(), first}}), proofs);
}

StmtPtr upToJump(const StmtPtr &s) {
  const auto last = std::ranges::find_if(s->children, leavesBlock);
  if (last == s->children.end() || last + 1 == s->children.end())
    return s;
  return withChildren(s, {s->children.begin(), last + 1});
}

/// One branch of a condition that is a constant.
StmtPtr taken(const StmtPtr &s) {
  const auto holds = literalValue(s->value);
  if (!holds)
    return s;
  return *holds != 0 ? s->children[0] : s->children.size() > 1 ? s->children[1] : nullptr;
}

} // namespace

StmtPtr withoutUnreachableCode(const StmtPtr &body,
                               const std::shared_ptr<algebra::Proofs> &proofs) {
  return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
    switch (s->kind) {
    case StmtKind::Block:
      return upToJump(s);
    case StmtKind::If:
      return taken(s);
    case StmtKind::For:
    case StmtKind::While:
      return hasNoRound(*s, proofs) ? nullptr : s;
    case StmtKind::Parallel:
      return literalValue(s->value).value_or(1) <= 0 ? nullptr : s;
    default:
      return s;
    }
  });
}

} // namespace tangram::codegen
