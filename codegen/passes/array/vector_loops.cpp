#include "codegen/passes/array/vector_loops.h"

#include "codegen/analysis/windows.h"
#include "codegen/passes/array/one_assignment.h"

namespace tangram::codegen {

using namespace ir;

namespace {

bool isVectorOperator(Operator op) { return op == "+" || op == "-" || op == "*" || op == "/"; }

/// What can be said of several rounds of a loop in one vector.
class VectorValues {
public:
  explicit VectorValues(VarPtr number) : number_(std::move(number)) {}

  /// Whether it is one of elements that lie side by side along the loop.
  bool isElement(const ExprPtr &e) const {
    return e->kind == ExprKind::Index && differs(e) && isContiguous(*e);
  }

  /// Whether it is a vector of this type, or the same in all rounds.
  bool fit(const ExprPtr &e, Scalar type) const {
    if (e->type.scalar != type)
      return false;
    if (!differs(e))
      return true;
    if (e->kind == ExprKind::Select)
      return isMask(e->args[0], type) && fit(e->args[1], type) && fit(e->args[2], type);
    if (e->kind == ExprKind::Binary && isVectorOperator(e->op))
      return fit(e->args[0], type) && fit(e->args[1], type);
    return isElement(e);
  }

private:
  /// Whether it is a comparison of vectors, or several; or the same in all rounds.
  bool isMask(const ExprPtr &e, Scalar type) const {
    if (!differs(e))
      return true;
    if (e->kind == ExprKind::Unary && e->op == "!")
      return isMask(e->args[0], type);
    if (e->kind != ExprKind::Binary)
      return false;
    if (e->op.isLogic())
      return differs(e->args[0]) && differs(e->args[1]) && isMask(e->args[0], type) &&
             isMask(e->args[1], type);
    const Scalar compared = e->args[0]->type.scalar; // as wide: a lane of the mask for each
    return e->op.isComparison() && byteSize(compared) == byteSize(type) &&
           fit(e->args[0], compared) && fit(e->args[1], compared);
  }

  bool differs(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) { return each.var == number_; });
  }

  bool isContiguous(const Expr &element) const {
    const ExprPtr &last = element.args.back();
    for (std::size_t i = 1; i + 1 < element.args.size(); ++i) {
      if (differs(element.args[i]))
        return false;
    }
    const ExprPtr rest = difference(last, varRef(number_));
    return rest && !differs(rest);
  }

  VarPtr number_;
};

/// Whether a round sees nothing that another one writes: what is assigned is accessed nowhere else
/// in the loop but where it is assigned.
bool hasFreeRounds(const Stmt &loop) {
  bool free = true;
  forEach(loop.children[2], [&](const Stmt &s) {
    if (s.kind != StmtKind::Assign || s.target->kind != ExprKind::Index)
      return;
    for (const WindowAccess &each : accessesTo(loop.children[2], s.target->args[0]->var.get()))
      free &= sameExpr(std::make_shared<Expr>(*each.element), s.target);
  });
  return free;
}

} // namespace

StmtPtr bodyOfVectors(const Stmt &loop) {
  bool plain = true;
  forEach(loop.children[2], [&](const Stmt &s) {
    plain &= s.kind == StmtKind::Block || s.kind == StmtKind::Comment || s.kind == StmtKind::Assign;
    forEachOwnExpr(s, [&](const ExprPtr &own) {
      plain &= !contains(own, [](const Expr &e) {
        return e.kind == ExprKind::Select || e.kind == ExprKind::Call;
      });
    });
  });
  if (plain)
    return loop.children[2];
  std::vector<StmtPtr> all = assignmentsOf(loop.children[2]);
  return all.empty() ? nullptr : block(std::move(all));
}

bool goesByVectors(const Stmt &loop, Scalar type) {
  const StmtPtr body = bodyOfVectors(loop);
  if (!body || !hasFreeRounds(loop))
    return false;
  const VectorValues values(counterOf(loop));
  bool fits = true;
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign)
      fits &= values.isElement(s.target) && byteSize(s.target->type.scalar) == byteSize(type) &&
              values.fit(s.target, s.target->type.scalar) &&
              values.fit(s.value, s.target->type.scalar);
    else
      fits &= s.kind == StmtKind::Block || s.kind == StmtKind::Comment;
  });
  return fits;
}

} // namespace tangram::codegen
