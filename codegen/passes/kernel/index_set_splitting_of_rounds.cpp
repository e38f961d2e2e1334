// Index-set splitting by the rounds of outer loops: takes out the comparisons with ends that are left where innermost loops are
// split already, those of numbers that a worker goes along. For workers of a group that are loops.
//
// Edges are apart in the innermost loop (index_set_splitting.cpp), and whether there is the row that it goes along is asked in
// each of its rounds (which row it is, is chosen before: invariant_code_motion.cpp):
//
//   before:  for (k = inside; k < outside) out[...] = (1 <= i ? in[...] : 0) + ... + (i + 1 < n ? in[...] : 0)
//   after:   inside_2 = 1 <= i && i + 1 < n
//            if (inside_2) for (k = inside; k < outside) out[...] = in[...] + ... + in[...]
//            else          for (k = inside; k < outside) out[...] = (1 <= i ? in[...] : 0) + ...
//
// Lanes that each have an element are cut into three as such a loop is, in rows that are inside. Items that step together gain
// nothing: a branch in each of their rounds takes more time than the comparisons that it saves.
#include "codegen/analysis/counted_loops.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/index_set_splitting.h"
#include "codegen/passes/kernel/interior.h"

#include <optional>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

std::optional<CountedLoop> plainLoop(const Stmt &s) {
  const auto loop = loopUpTo(s);
  const bool plain =
      loop && loop->i->type.scalar == Scalar::Index && !assigns(loop->body, loop->i.get());
  return plain ? loop : std::nullopt;
}

/// The loop twice, without a comparison in rows that are inside; itself where some would be left.
StmtPtr rowsApart(const LoweredPlan &plan, const StmtPtr &s) {
  const auto loop = plainLoop(*s);
  if (!loop || isShort(plan, loop->bound) || !hasOnlyShortLoops(plan, loop->body))
    return s;
  // Rounds of which some are past an end compare by its counter, which is left.
  Interior interior(plan, loop->body, {loop->i.get()}, Interior::Of::Guards);
  std::vector<StmtPtr> children = s->children;
  children[2] = interior.of(children[2]);
  if (children[2] == s->children[2] || interior.left() > 0)
    return s;
  const StmtPtr fast = withOwnVariables(withChildren(s, std::move(children)));
  const ExprPtr condition = interior.anyCondition();
  if (!condition)
    return fast;
  const VarPtr inside = newVariable("inside", Scalar::Bool);
  return block({declare(inside, condition), ifThen(varRef(inside), fast, s)});
}

/// Lanes in three parts, if the middle one compares nothing; itself where it would.
StmtPtr lanesApart(const LoweredPlan &plan, const StmtPtr &s) {
  const auto parts = splitLanes(plan, s);
  if (!parts)
    return s;
  const Stmt &middle = *parts->all[parts->inside];
  Interior interior(plan, middle.children[0], {middle.var.get()}, Interior::Of::Guards);
  const bool compares =
      interior.of(middle.children[0]) != middle.children[0] || interior.left() > 0;
  return compares ? s : block(parts->all);
}

} // namespace

LoweredPlan splitIndexSetsOfRounds(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    return s->kind == StmtKind::Parallel ? lanesApart(plan, s) : rowsApart(plan, s);
  });
  return plan;
}

} // namespace tangram::codegen
