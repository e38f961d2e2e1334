#include "codegen/lowering/guard_launches.h"

#include "algebra/simplify.h"
#include "codegen/form/building.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool isWhole(const Expr &e) { return isInteger(e.type.scalar); }

class Guard {
public:
  Guard(const ExprPtr &condition, const LoweredPlan &plan) : condition_(condition), plan_(plan) {}

  std::vector<StmtPtr> all(const std::vector<StmtPtr> &statements) const {
    std::vector<StmtPtr> guarded;
    for (const StmtPtr &s : statements)
      guarded.push_back(one(s));
    return guarded;
  }

private:
  StmtPtr one(const StmtPtr &s) const {
    switch (s->kind) {
    case StmtKind::Block:
      return withChildren(s, all(s->children));
    case StmtKind::Decl:
      return s->value ? declare(s->var, value(s->value), s->location) : s;
    case StmtKind::Allocate: {
      Array array = *s->array;
      std::for_each(array.extents.begin(), array.extents.end(),
                    [&](ExprPtr &extent) { extent = count(extent); });
      return allocate(s->var, array, s->location);
    }
    case StmtKind::Parallel: {
      const StmtPtr &body = s->children[0];
      return parallel(s->level, s->span, s->var, count(s->value),
                      isRow(body) ? one(body) : block({ifThen(condition_, body)}), s->location);
    }
    default:
      return s;
    }
  }

  ExprPtr value(const ExprPtr &e) const { return mayFail(e) ? ifItHolds(e) : e; }

  /// What the host computes, in which nothing may be below 0 either.
  ExprPtr count(const ExprPtr &e) const {
    const bool subtracts = contains(
        e, [](const Expr &each) { return each.kind == ExprKind::Binary && each.op == "-"; });
    return subtracts ? ifItHolds(e) : value(e);
  }

  ExprPtr ifItHolds(const ExprPtr &e) const {
    return select(condition_, e, simplify(cast(e->type.scalar, intLiteral(0))));
  }

  /// Whether `e` may have no value where the condition does not hold.
  bool mayFail(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      const bool divides =
          each.kind == ExprKind::Binary && (each.op == "/" || each.op == "%") && isWhole(each);
      return each.kind == ExprKind::Index || (divides && !isPositive(*each.args[1]));
    });
  }

  bool isPositive(const Expr &e) const {
    const Tunable *tunable = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
    return (e.kind == ExprKind::Literal && e.integer != 0) || (tunable && tunable->min > 0);
  }

  /// Whether the groups of a Parallel are rows of groups.
  bool isRow(const StmtPtr &body) const {
    return std::any_of(body->children.begin(), body->children.end(), [&](const StmtPtr &s) {
      return s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Group;
    });
  }

  const ExprPtr &condition_;
  const LoweredPlan &plan_;
};

} // namespace

std::vector<StmtPtr> guardLaunches(const ExprPtr &condition, const StmtPtr &then,
                                   const StmtPtr &otherwise, const LoweredPlan &plan) {
  std::vector<StmtPtr> guarded = Guard(condition, plan).all(then->children);
  if (otherwise) {
    for (const StmtPtr &s : Guard(negated(condition), plan).all(otherwise->children))
      guarded.push_back(s);
  }
  return guarded;
}

} // namespace tangram::codegen
