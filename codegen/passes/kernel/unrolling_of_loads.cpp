// Unrolling of loads: an innermost loop that reads global memory asks to be unrolled, so that loads of several rounds are in
// flight together. The machine's model says how many loads that is; a round with several counts for as many.
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// How many different elements of global memory a round loads: of a vector all.
std::uint64_t globalLoads(const LoweredPlan &plan, const StmtPtr &s) {
  std::map<const Expr *, std::uint64_t> inVectors;
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::For && each.lanes > 1)
      forEachExpr(each.children[2], [&](const Expr &e) { inVectors[&e] = each.lanes; });
  });
  std::set<const Expr *> written;
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign && each.op == "=")
      written.insert(each.target.get());
  });
  std::vector<ExprPtr> seen;
  std::uint64_t loads = 0;
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind != ExprKind::Index || e.args[0]->kind != ExprKind::Var || written.contains(&e))
      return;
    const Buffer *buffer = plan.bufferOf(e.args[0]->var);
    const auto element = std::make_shared<Expr>(e);
    if (!buffer || buffer->space != Space::Global ||
        std::ranges::any_of(seen, [&](const ExprPtr &l) { return sameExpr(l, element); }))
      return;
    seen.push_back(element);
    const auto vector = inVectors.find(&e);
    loads += vector == inVectors.end() ? 1 : vector->second;
  });
  return loads;
}

bool storesGlobally(const LoweredPlan &plan, const StmtPtr &s) {
  bool stores = false;
  forEach(s, [&](const Stmt &each) {
    if (each.kind != StmtKind::Assign || each.target->kind != ExprKind::Index)
      return;
    const Buffer *buffer = plan.bufferOf(each.target->args[0]->var);
    stores |= buffer && buffer->space == Space::Global;
  });
  return stores;
}

/// How often a loop goes round where both what it counts to and the workers it deals to are numbers
/// by default; 0: unknown.
std::uint64_t defaultRounds(const LoweredPlan &plan, const Stmt &loop) {
  const auto numberOf = [&](const ExprPtr &e) {
    const bool isPlain = e->kind == ExprKind::Literal || e->kind == ExprKind::Var;
    return isPlain ? static_cast<std::uint64_t>(defaultValue(plan, e).value_or(0)) : 0;
  };
  const std::optional<CountedLoop> counted = countedLoop(loop);
  if (!counted)
    return 0;
  const std::uint64_t step = numberOf(counted->step);
  return step == 0 ? 0 : (numberOf(counted->bound) + step - 1) / step;
}

/// So many rounds that the loads of all of them are in flight together. More than there are rounds
/// would leave all of them to the loop over what is left, which is done one by one.
unsigned roundsAtATime(const LoweredPlan &plan, const Stmt &loop, std::uint64_t loads) {
  auto times =
      static_cast<unsigned>(std::bit_ceil((plan.machine->code.loadsInFlight + loads - 1) / loads));
  if (loads == 1)
    times = plan.machine->code.loadsInFlight;
  if (const std::uint64_t rounds = defaultRounds(plan, loop); rounds != 0)
    times = static_cast<unsigned>(std::min<std::uint64_t>(times, rounds));
  return times;
}

/// Whether no other loop is in it; what is one vector is none.
bool isInnermost(const StmtPtr &s) {
  bool inner = true;
  for (const StmtPtr &child : s->children) {
    forEach(child, [&](const Stmt &each) {
      const bool isVector = each.lanes > 1 && each.unroll == 1;
      inner &= (each.kind != StmtKind::For || isVector) && each.kind != StmtKind::While &&
               each.kind != StmtKind::DoWhile && each.kind != StmtKind::Break &&
               each.kind != StmtKind::Continue;
    });
  }
  return inner;
}

} // namespace

LoweredPlan unrollLoads(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::For || s->unroll != 0 || !isInnermost(s) ||
        hasWorkers(plan, s, Role::Group)) // the host's
      return s;
    std::uint64_t loads = globalLoads(plan, s->children[2]);
    if (loads == 0 && defaultRounds(plan, *s) > 1 && storesGlobally(plan, s->children[2]))
      loads = 1; // of another memory, one for each store
    if (loads == 0)
      return s;
    unsigned times = roundsAtATime(plan, *s, loads);
    forEach(s->children[2], [&](const Stmt &each) {
      if (each.kind == StmtKind::Parallel)
        times = std::max(plan.machine->code.loadsInFlight / 4, 1U);
    });
    return unrolledLoop(s, times, s->lanes);
  });
  return plan;
}

} // namespace tangram::codegen
