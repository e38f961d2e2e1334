#include "codegen/kernel/building.h"
#include "codegen/kernel/multiples.h"
#include "codegen/passes/passes.h"

namespace tangram::codegen {

using namespace ir;

namespace {

bool isElement(const Expr &e) { return e.kind == ExprKind::Index && e.args.size() == 2; }

/// own[i] of an array of one item, whose size is a multiple of `lanes`.
bool isOwnElement(const Expr &e, const Var &i, std::int64_t lanes) {
  if (!isElement(e) || e.args[0]->kind != ExprKind::Var)
    return false;
  const Var &array = *e.args[0]->var;
  return array.kind == VarKind::Local && array.extent &&
         literalValue(array.extent).value_or(1) % lanes == 0 && e.args[1]->kind == ExprKind::Var &&
         e.args[1]->var.get() == &i;
}

/// Whether `e` is one number in all rounds of a loop over i that changes nothing but elements of `own`.
bool isSame(const ExprPtr &e, const Var &i, const Var &own) {
  return !contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Atomic || each.var.get() == &i || each.var.get() == &own;
  });
}

/// in[m + i] of global memory, where m is a multiple of `lanes`.
bool isNeighbour(const LoweredPlan &plan, const Expr &e, const Var &i, std::int64_t lanes) {
  if (!isElement(e) || e.args[0]->kind != ExprKind::Var)
    return false;
  const Buffer *buffer = plan.bufferOf(e.args[0]->var);
  const Expr &at = *e.args[1];
  return buffer && buffer->space == Space::Global && at.kind == ExprKind::Binary && at.op == "+" &&
         isMultipleOf(*at.args[0], lanes) && at.args[1]->kind == ExprKind::Var &&
         at.args[1]->var.get() == &i;
}

/// How many elements a vector has where the loop reads some, else 0.
unsigned lanesOf(const LoweredPlan &plan, const Stmt &s) {
  const std::optional<CountedLoop> loop =
      s.kind == StmtKind::For && s.lanes == 0 ? countedLoop(s) : std::nullopt;
  const auto bound = loop && loop->isPlain() ? literalValue(loop->bound) : std::nullopt;
  if (!bound)
    return 0;
  const std::vector<StmtPtr> body = withoutBlocks({loop->body});
  if (body.size() != 1 || body[0]->kind != StmtKind::Assign || body[0]->op != "=")
    return 0;
  const Expr &target = *body[0]->target, &value = *body[0]->value;
  const Scalar element = target.type.scalar;
  if (element == Scalar::Bool || element == Scalar::Index || value.type.scalar != element)
    return 0;
  const auto lanes = vectorBytes / static_cast<std::int64_t>(byteSize(element));
  const bool reads = *bound > 0 && *bound % lanes == 0 && isOwnElement(target, *loop->i, lanes) &&
                     isNeighbour(plan, value, *loop->i, lanes) &&
                     isSame(value.args[1]->args[0], *loop->i, *target.args[0]->var);
  return reads ? static_cast<unsigned>(lanes) : 0;
}

} // namespace

LoweredPlan readVectors(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const unsigned lanes = lanesOf(plan, *s);
    if (lanes < 2)
      return s;
    const auto rounds = literalValue(countedLoop(*s)->bound);
    return unrolledLoop(s, static_cast<unsigned>(*rounds) / lanes, lanes);
  });
  return plan;
}

} // namespace tangram::codegen
