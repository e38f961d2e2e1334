// Independence of rounds: an innermost loop is marked if its rounds access different memory. With few arrays compilers ask
// before the loop whether they overlap. With more arrays, or with rows of one array whose distance only a call says, they
// make no vectors without the mark.
#include "codegen/analysis/counted_loops.h"
#include "codegen/analysis/round_footprints.h"
#include "codegen/passes/kernel/long_elements.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Pairs of places of which GCC asks whether they overlap.
constexpr std::size_t askedByCompilers = 10;

bool isStraight(const StmtPtr &body) {
  bool straight = true;
  forEach(body, [&](const Stmt &s) {
    straight &= s.kind == StmtKind::Block || s.kind == StmtKind::Comment ||
                s.kind == StmtKind::Assign || (s.kind == StmtKind::Decl && !s.var->extent);
  });
  forEachExpr(body, [&](const Expr &e) {
    const bool divides = e.kind == ExprKind::Binary && (e.op == "/" || e.op == "%");
    straight &= !divides || isFloating(e.type.scalar);
  });
  return straight;
}

/// Pairs of different elements of which one is written.
std::size_t pairsIn(const std::vector<RoundAccess> &accesses) {
  std::vector<RoundAccess> different;
  for (const RoundAccess &each : accesses) {
    const auto known = std::ranges::find_if(
        different, [&](const RoundAccess &other) { return sameExpr(each.element, other.element); });
    if (known == different.end())
      different.push_back(each);
    else
      known->write |= each.write;
  }
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      pairs += different[i].write || different[k].write ? 1 : 0;
  }
  return pairs;
}

bool isWorthAsking(const LoweredPlan &plan, const Stmt &s) {
  const auto loop =
      s.kind == StmtKind::For && s.lanes == 0 && s.unroll == 0 ? loopToTheEnd(s) : std::nullopt;
  if (!loop || !isLiteral(loop->step, 1) || !isStraight(loop->body) ||
      !staysInRounds(plan, loop->start, changedIn(*loop)) ||
      !staysInRounds(plan, loop->bound, changedIn(*loop)))
    return false;
  const std::vector<RoundAccess> accesses = accessesOfRound(*loop);
  return pairsIn(accesses) > askedByCompilers &&
         std::ranges::all_of(accesses, [&](const RoundAccess &each) {
           return isOfNeighbours(*loop, each.element->args[1]);
         });
}

StmtPtr marked(const StmtPtr &s, const std::set<const Stmt *> &loops) {
  if (!s || s->children.empty())
    return s;
  std::vector<StmtPtr> children;
  for (const StmtPtr &child : s->children)
    children.push_back(marked(child, loops));
  const StmtPtr same = withChildren(s, std::move(children));
  if (!loops.contains(s.get()))
    return same;
  auto loop = std::make_shared<Stmt>(*same);
  loop->sideBySide = true;
  return loop;
}

} // namespace

LoweredPlan markIndependentRounds(LoweredPlan plan) {
  RoundFootprints footprints(plan);
  std::set<const Stmt *> loops;
  forEach(plan.body, [&](const Stmt &s) {
    if (isWorthAsking(plan, s) && footprints.areApart(s))
      loops.insert(&s);
  });
  if (!loops.empty())
    plan.body = marked(plan.body, loops);
  return plan;
}

} // namespace tangram::codegen
