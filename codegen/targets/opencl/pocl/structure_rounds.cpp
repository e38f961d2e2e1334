// before: for (...) { if (c) { A; continue; } B; barrier; C }
// after:  for (...) { if (c) { A } else { B; barrier; C } }
//
// Where a group goes round together. PoCL takes a round that ends in its middle for one that goes on.
#include "codegen/form/building.h"
#include "codegen/targets/opencl/pocl/passes.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// What a branch does before it ends the round; null: it does not end with that.
StmtPtr beforeContinue(const StmtPtr &branch) {
  if (branch->kind == StmtKind::Continue)
    return block({});
  if (branch->kind != StmtKind::Block || branch->children.empty())
    return nullptr;
  const StmtPtr last = beforeContinue(branch->children.back());
  if (!last)
    return nullptr;
  std::vector<StmtPtr> rest(branch->children.begin(), branch->children.end() - 1);
  rest.insert(rest.end(), last->children.begin(), last->children.end());
  return block(std::move(rest));
}

/// The statements of a round from `at` on.
StmtPtr structured(const std::vector<StmtPtr> &statements, std::size_t at) {
  std::vector<StmtPtr> made;
  for (; at < statements.size(); ++at) {
    const StmtPtr &s = statements[at];
    const bool alone = s->kind == StmtKind::If && s->children.size() == 1;
    const StmtPtr before = alone ? beforeContinue(s->children[0]) : nullptr;
    if (!before) {
      made.push_back(s);
      continue;
    }
    const StmtPtr rest = structured(statements, at + 1);
    made.push_back(before->children.empty() ? ifThen(negated(s->value), rest, nullptr, s->location)
                                            : ifThen(s->value, before, rest, s->location));
    break;
  }
  return block(std::move(made));
}

} // namespace

LoweredPlan structureRounds(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [](const StmtPtr &s) {
    if (!isLoop(*s) || !hasBarrier(s))
      return s;
    std::vector<StmtPtr> children = s->children;
    children.back() = structured(withoutBlocks({children.back()}), 0);
    return withChildren(s, std::move(children));
  });
  return plan;
}

} // namespace tangram::codegen
