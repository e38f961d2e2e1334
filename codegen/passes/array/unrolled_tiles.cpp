#include "codegen/passes/array/unrolled_tiles.h"

#include "codegen/form/building.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr unsigned fewRounds = 8; ///< of loops around tiles that are unrolled, as over a filter
constexpr std::int64_t mostRounds = 16; ///< of several such loops together

std::int64_t roundsOf(const Stmt &s);

/// The number of rounds of the unrolled loops inside, as far as their bounds are literals.
std::int64_t roundsInside(const Stmt &loop) {
  std::int64_t most = 1;
  for (const StmtPtr &child : loop.children) {
    if (child)
      most = std::max(most, roundsOf(*child));
  }
  return most;
}
std::int64_t roundsOf(const Stmt &s) {
  const std::int64_t inside = roundsInside(s);
  const bool isUnrolled = s.kind == StmtKind::For && s.unroll == completely && counterOf(s);
  return isUnrolled ? inside * literalValue(s.value->args[1]).value_or(1) : inside;
}

bool isAroundUnrolled(const Stmt &loop) {
  bool found = false;
  forEach(loop.children[2], [&](const Stmt &s) { found |= s.unroll == completely; });
  return found;
}

} // namespace

UnrolledTiles::UnrolledTiles(const LoweredPlan &plan) : plan_(plan) {
  forEach(plan_.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Window)
      return;
    for (const WindowDimension &d : s.window->dims) {
      if (d.extent->kind == ExprKind::Var)
        bounds_.try_emplace(d.extent->var.get(), d.bound);
    }
  });
}

StmtPtr UnrolledTiles::bodyOf(const Tiles &tiles) const {
  const StmtPtr body = tiles.inTiles();
  if (plan_.target->itemsAreLoops)
    return body;
  return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
    const VarPtr number = s->kind == StmtKind::For && s->unroll == 0 ? counterOf(*s) : nullptr;
    const ExprPtr end = number ? s->value->args[1] : nullptr;
    if (end && literalValue(end).value_or(completely) < fewRounds && isAroundUnrolled(*s) &&
        *literalValue(end) * roundsInside(*s) <= mostRounds) {
      auto few = std::make_shared<Stmt>(*s);
      few->unroll = completely;
      return few;
    }
    auto bound = end && end->kind == ExprKind::Var ? bounds_.find(end->var.get()) : bounds_.end();
    if (bound == bounds_.end() || !isAroundUnrolled(*s))
      return s;
    auto whole = std::make_shared<Stmt>(*s);
    whole->value = binary("<", varRef(number), bound->second);
    whole->unroll = completely;
    return ifThen(binary("==", end, bound->second), block({withOwnVariables(whole)}), block({s}));
  });
}

} // namespace tangram::codegen
