#include "codegen/lowering/appends.h"

#include "codegen/form/building.h"
#include "ir/casts.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isVariable(const Expr &e, const Var *var) {
  const Expr &own = withoutCasts(e);
  return own.kind == ExprKind::Var && own.var.get() == var;
}

/// What the last statement returns, the only one that does; null: something else than a variable.
const Var *returned(const StmtPtr &body) {
  int returns = 0;
  forEach(body, [&](const Stmt &s) { returns += s.kind == StmtKind::Return; });
  if (returns != 1 || body->children.empty())
    return nullptr;
  const Stmt &last = *body->children.back();
  if (last.kind != StmtKind::Return || !last.value)
    return nullptr;
  const Expr &value = withoutCasts(*last.value);
  return value.kind == ExprKind::Var ? value.var.get() : nullptr;
}

/// Whether `next` is declared as the carry and something that is not negative.
bool isNoLess(const StmtPtr &body, const Var *next, const Var *carry) {
  return std::ranges::any_of(body->children, [&](const StmtPtr &s) {
    if (s->kind != StmtKind::Decl || s->var.get() != next || !s->value ||
        !isUnsigned(s->value->type.scalar))
      return false;
    const Expr &sum = withoutCasts(*s->value);
    return sum.kind == ExprKind::Binary && sum.op == "+" &&
           std::ranges::any_of(sum.args, [&](const ExprPtr &e) { return isVariable(*e, carry); }) &&
           std::ranges::all_of(sum.args,
                               [](const ExprPtr &e) { return isUnsigned(e->type.scalar); });
  });
}

/// sequence(var)
bool isConstantly(const Expr &sequence, const Var *var) {
  return sequence.kind == ExprKind::Sequence && sequence.args.size() == 1 &&
         isVariable(*sequence.args[0], var);
}

bool isPart(const Expr &e, const Var *out, const Var *from, const Var *to) {
  return e.kind == ExprKind::Partition && e.args.size() == 5 && e.integer == 0 &&
         isVariable(*e.args[0], out) && isConstantly(*e.args[2], from) &&
         isConstantly(*e.args[4], to);
}

} // namespace

bool appendsFromCarry(const Codelet &codelet, const Var *out) {
  const Var *carry = codelet.params.empty() ? nullptr : codelet.params[0].get();
  const StmtPtr &body = codelet.body;
  const Var *next = carry && body && body->kind == StmtKind::Block ? returned(body) : nullptr;
  if (!next || assigns(body, carry) || assigns(body, next) || !isNoLess(body, next, carry))
    return false;
  int uses = 0;
  forEachExpr(body, [&](const Expr &e) {
    uses += e.kind == ExprKind::Var && e.var.get() == out ? 1 : 0;
    // Its size is no use of it, and neither is a part.
    uses -= e.kind == ExprKind::Size && isVariable(*e.args[0], out) ? 1 : 0;
    uses -= isPart(e, out, carry, next) ? 1 : 0;
  });
  return uses == 0;
}

} // namespace tangram::codegen
