#include "composer/derive/loops_from_zero.h"

#include "algebra/inequalities.h"
#include "composer/derive/statements.h"
#include "ir/assigned_variables.h"
#include "ir/casts.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tangram::composer {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

bool mentionsOneOf(const ExprPtr &e, const std::set<const ir::Var *> &variables) {
  return ir::contains(
      e, [&](const ir::Expr &each) { return each.var && variables.contains(each.var.get()); });
}

/// Whether `e` is made of names, sizes and literals by sums, differences and products.
bool isSumOfProducts(const ExprPtr &e) {
  const bool isLeaf =
      e->kind == ExprKind::Var || e->kind == ExprKind::Literal || e->kind == ExprKind::Size;
  const bool isMade = e->kind == ExprKind::Cast || ir::isBinary(*e, "+") || ir::isBinary(*e, "-") ||
                      ir::isBinary(*e, "*");
  return ir::isInteger(e->type.scalar) &&
         (isLeaf || (isMade && std::ranges::all_of(e->args, isSumOfProducts)));
}

/// Whether the value of `e` is known to be at least 0: a sum of products of sizes, unsigned numbers and literals.
bool isNatural(const ExprPtr &e) {
  if (e->kind == ExprKind::Literal)
    return e->integer >= 0;
  if (e->kind == ExprKind::Size)
    return true;
  if (e->kind == ExprKind::Var)
    return !ir::isSigned(e->type.scalar);
  return !ir::isBinary(*e, "-") && isSumOfProducts(e) && std::ranges::all_of(e->args, isNatural);
}

class FromZero {
public:
  explicit FromZero(const ir::Codelet &codelet)
      : fresh_(codelet.params, codelet.body), assigned_(assignedIn(codelet.body)) {}

  StmtPtr walk(const StmtPtr &s) {
    if (!s)
      return s;
    const bool isConstant = s->kind == StmtKind::Decl && s->value &&
                            !assigned_.contains(s->var.get()) && isSumOfProducts(s->value) &&
                            !mentionsOneOf(s->value, assigned_);
    if (isConstant)
      numbers_.define(s->var, numbers_.unwrapped(s->value));
    const bool isFor = s->kind == StmtKind::For && s->children[0] && s->children[0]->var;
    const VarPtr counter = isFor ? s->children[0]->var : nullptr;
    const bool isNew = counter && counters_.insert(counter.get()).second;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(isFor && children.size() < 2 ? child : walk(child));
    if (isNew)
      counters_.erase(counter.get());
    const StmtPtr inside = ir::withChildren(s, std::move(children));
    return isFor ? fromZero(inside) : inside;
  }

private:
  /// The loop with a counter that begins with zero; itself, where it begins so already or its number of rounds depends on loops around.
  StmtPtr fromZero(const StmtPtr &s) {
    const Stmt &first = *s->children[0];
    const VarPtr &counter = first.var;
    const bool isPlain = first.kind == StmtKind::Decl && first.value && s->children[1] &&
                         s->value && s->children[1]->op == "+=" &&
                         ir::isLiteral(s->children[1]->value, 1) &&
                         s->children[1]->target->var == counter && ir::isBinary(*s->value, "<") &&
                         ir::withoutCasts(s->value->args[0])->var == counter;
    if (!isPlain || !isSumOfProducts(first.value) || !isSumOfProducts(s->value->args[1]))
      return s;
    std::set<const ir::Var *> changing = assignedIn(s->children[2]);
    if (!changing.insert(counter.get()).second) // rounds may be left out
      return s;
    const ExprPtr &end = s->value->args[1];
    if (mentionsOneOf(first.value, changing) || mentionsOneOf(end, changing))
      return s;
    const algebra::Polynomial begin = numbers_.unwrapped(first.value);
    const ExprPtr from = numbers_.expression(begin);
    const ExprPtr rounds = numbers_.expression(numbers_.unwrapped(end) - begin);
    if (!from || !rounds || !mentionsOneOf(from, counters_) || mentionsOneOf(rounds, counters_))
      return s;
    const ir::Scalar type = counter->type.scalar;
    if (!ir::isSigned(type) && !isNatural(rounds)) // a negative number would be a large one
      return s;
    auto number = std::make_shared<ir::Var>(*counter);
    number->name = fresh_(counter->name);
    const ExprPtr place = ir::binary("+", ir::cast(type, first.value), ir::varRef(number));
    const StmtPtr body = ir::mapExprs(s->children[2], [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        return each->kind == ExprKind::Var && each->var == counter ? place : each;
      });
    });
    return ir::forLoop(ir::declare(number, ir::intLiteral(0, type)),
                       ir::binary("<", ir::varRef(number), ir::cast(type, rounds)),
                       ir::assign(ir::varRef(number), "+=", ir::intLiteral(1, type)), body,
                       s->location);
  }

  FreshNames fresh_;
  std::set<const ir::Var *> assigned_, counters_;
  algebra::Inequalities numbers_;
};

} // namespace

ir::Codelet withLoopsFromZero(const ir::Codelet &codelet) {
  ir::Codelet made = codelet;
  made.body = FromZero(codelet).walk(codelet.body);
  return made;
}

} // namespace tangram::composer
