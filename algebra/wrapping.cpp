#include "algebra/wrapping.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tangram::algebra {

using namespace ir;

namespace {

bool isUnsignedScalar(const Expr &e) {
  return !e.type.isContainer() && ir::isUnsigned(e.type.scalar);
}

bool isWide(const Expr &e) { return isUnsignedScalar(e) && byteSize(e.type.scalar) == 8; }

/// Of an element or a variable.
const Expr *variableOf(const ExprPtr &e) {
  return e->kind == ExprKind::Index ? e->args[0].get() : e.get();
}

/// a + n - 1 of (a + n - 1) / n, which nobody does where n is 0.
bool isRoundedUp(const Expr &quotient) {
  const Expr &dividend = *quotient.args[0];
  return isBinary(dividend, "-") && isLiteral(dividend.args[1], 1) &&
         isBinary(*dividend.args[0], "+") &&
         std::ranges::any_of(dividend.args[0]->args,
                             [&](const ExprPtr &each) { return sameExpr(each, quotient.args[1]); });
}

bool anyMayWrap(const std::vector<ExprPtr> &all, const KnownToWrap &known) {
  return std::ranges::any_of(all, [&](const ExprPtr &each) { return mayWrap(each, known); });
}

/// Whether the form of `e` says that it is no less than `least`: min(least + n, max(m, least)) is not.
bool isAtLeast(const ExprPtr &e, const ExprPtr &least, const KnownToWrap &known) {
  if (sameExpr(e, least))
    return true;
  const auto is = [&](const ExprPtr &each) { return isAtLeast(each, least, known); };
  if (e->kind == ExprKind::Call && e->callee == "min")
    return std::ranges::all_of(e->args, is);
  if (e->kind == ExprKind::Call && e->callee == "max")
    return std::ranges::any_of(e->args, is);
  return e->type.scalar == Scalar::Index && isBinary(*e, "+") && std::ranges::any_of(e->args, is) &&
         !anyMayWrap(e->args, known);
}

bool binaryMayWrap(const Expr &e, const KnownToWrap &known) {
  if (!isUnsignedScalar(e))
    return anyMayWrap(e.args, known);
  if (e.op == "/" && isRoundedUp(e))
    return anyMayWrap(e.args[0]->args[0]->args, known);
  if (e.op == "/" || e.op == ">>")
    return mayWrap(e.args[0], known);
  if (e.op == "%" || e.op == "&") // no more than either
    return mayWrap(e.args[0], known) && mayWrap(e.args[1], known);
  const bool mayBeBelow =
      e.op == "-" && known.difference(e) && !isAtLeast(e.args[0], e.args[1], known);
  return mayBeBelow || anyMayWrap(e.args, known);
}

/// By form, where `variable` says which variables may hold what has wrapped around.
bool mayWrapByForm(const ExprPtr &e, const std::function<bool(const Expr &)> &variable) {
  const auto converts = [](const Expr &cast) {
    const ExprPtr &from = cast.args[0];
    return isSigned(from->type.scalar) && literalValue(from).value_or(-1) < 0;
  };
  return mayWrap(e, {variable, [](const Expr &) { return true; }, converts});
}

} // namespace

bool mayWrap(const ExprPtr &e, const KnownToWrap &known) {
  switch (e->kind) {
  case ExprKind::Literal:
    return isUnsignedScalar(*e) && e->integer < 0; // above 2^63 - 1
  case ExprKind::Var:
    return isWide(*e) && (e->type.scalar != Scalar::Index || known.variable(*e));
  case ExprKind::Index:
  case ExprKind::Atomic: {
    const Expr &array = e->kind == ExprKind::Index ? *e->args[0] : *variableOf(e->args[0]);
    return isWide(*e) && (e->type.scalar != Scalar::Index || array.kind != ExprKind::Var ||
                          known.variable(array));
  }
  case ExprKind::Size:
    return false;
  case ExprKind::Cast: {
    const Expr &from = *e->args[0];
    if (!isUnsignedScalar(*e) || !isInteger(from.type.scalar))
      return false;
    return isWide(from) ? mayWrap(e->args[0], known) : known.conversion(*e);
  }
  case ExprKind::Call:
    if (e->callee == "min" && isUnsignedScalar(*e) && e->args.size() == 2)
      return mayWrap(e->args[0], known) && mayWrap(e->args[1], known);
    return anyMayWrap(e->args, known);
  case ExprKind::Unary:
    return (isWide(*e) && e->op != "+") || anyMayWrap(e->args, known);
  case ExprKind::Binary:
    return binaryMayWrap(*e, known);
  case ExprKind::Select:
    return mayWrap(e->args[1], known) || mayWrap(e->args[2], known);
  default:
    return anyMayWrap(e->args, known);
  }
}

bool mayWrap(const ExprPtr &e) {
  return mayWrapByForm(e, [](const Expr &leaf) { return leaf.var->wraps; });
}

bool keepsIndexes(const Var &var) {
  const bool isGivenValues = var.kind == VarKind::Local || var.kind == VarKind::Shared ||
                             var.kind == VarKind::Buffer || var.kind == VarKind::Window;
  return isGivenValues && var.type.scalar == Scalar::Index;
}

WrappingVariables wrappingVariables(const StmtPtr &s) {
  struct Given {
    const Var *var;
    const Stmt *by;
  };
  std::vector<Given> given;
  std::set<const Var *> declared;
  forEach(s, [&](const Stmt &each) {
    const Expr *target = each.kind == StmtKind::Assign ? variableOf(each.target) : nullptr;
    const Var *var = each.kind == StmtKind::Decl ? each.var.get()
                     : target                    ? target->var.get()
                                                 : nullptr;
    if (!var || !keepsIndexes(*var))
      return;
    if (each.kind == StmtKind::Decl)
      declared.insert(var);
    given.push_back({var, &each});
  });
  WrappingVariables wrapping;
  for (const Given &each : given)
    wrapping[each.var] = each.var->wraps && !declared.contains(each.var);
  const auto wraps = [&](const Stmt &by) {
    if (by.op == "-=")
      return true;
    if (!by.value || by.op == "/=" || by.op == "%=" || by.op == ">>=")
      return false; // no more than before
    return mayWrapByForm(by.value, [&](const Expr &leaf) {
      const auto found = wrapping.find(leaf.var.get());
      return found == wrapping.end() ? leaf.var->wraps : found->second;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Given &each : given) {
      bool &known = wrapping[each.var];
      const bool before = known;
      known = before || wraps(*each.by);
      changed |= known != before;
    }
  }
  return wrapping;
}

} // namespace tangram::algebra
