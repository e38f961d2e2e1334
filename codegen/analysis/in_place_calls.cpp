#include "codegen/analysis/in_place_calls.h"

#include "codegen/analysis/accesses.h"
#include "codegen/analysis/atomics.h"
#include "codegen/analysis/round_footprints.h"
#include "codegen/form/building.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The plan's code with one array for both, and loops in the place of workers: what may not be done in any order
/// of their rounds may not be done by several of them.
StmtPtr withOneArray(const StmtPtr &body, const VarPtr &other, const VarPtr &written) {
  const StmtPtr same = mapExprs(body, [&](const ExprPtr &e) {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      return each->kind == ExprKind::Var && each->var == other ? varRef(written) : each;
    });
  });
  return rewrite(same, [](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Parallel)
      return s;
    const bool isOne = s->span == Span::One || !s->var;
    return isOne ? s->children[0] : countingLoop(s->var, s->value, s->children[0]);
  });
}

/// The number of goals that a proof about a pair of arrays may look at. Few are enough where each element is read in the round
/// that writes it; for most other pairs there is no proof.
constexpr unsigned effortOfPair = 40;

class SameMemory {
public:
  SameMemory(const LoweredPlan &plan, const VarPtr &array)
      : array_(array), rounds_(plan, effortOfPair) {}

  /// Whether each round of every loop below `s` that writes the array leaves to others what these read and write.
  bool isKept(const StmtPtr &s) {
    if (!s || !writtenIn(s).contains(array_.get()))
      return true;
    switch (s->kind) {
    case StmtKind::Block:
      return isLast(*s) &&
             std::ranges::all_of(s->children, [&](const StmtPtr &each) { return isKept(each); });
    case StmtKind::If:
      return std::ranges::all_of(s->children, [&](const StmtPtr &each) { return isKept(each); });
    case StmtKind::For:
      return rounds_.areApart(*s) && isKept(s->children[2]);
    default: // what an assignment reads it reads before
      return s->kind == StmtKind::Assign;
    }
  }

private:
  /// Whether no statement of a block comes after one that writes the array and looks at it.
  bool isLast(const Stmt &block) const {
    bool isWritten = false;
    for (const StmtPtr &each : block.children) {
      if (isWritten && mentions(each, array_.get()))
        return false;
      isWritten |= writtenIn(each).contains(array_.get());
    }
    return true;
  }

  VarPtr array_;
  RoundFootprints rounds_;
};

} // namespace

bool mayBeSameMemory(const LoweredPlan &plan, const VarPtr &other, const VarPtr &written) {
  if (other->type.scalar != written->type.scalar || !atomicUses(plan, plan.body).empty())
    return false;
  LoweredPlan one = plan;
  one.body = withOneArray(plan.body, other, written);
  return SameMemory(one, written).isKept(one.body);
}

} // namespace tangram::codegen
