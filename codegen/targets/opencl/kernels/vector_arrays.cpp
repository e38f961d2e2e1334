#include "codegen/targets/opencl/kernels/vector_arrays.h"

#include "codegen/analysis/multiples.h"

#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Counters of loops that are unrolled.
std::set<const Var *> unrolledCounters(const StmtPtr &body) {
  std::set<const Var *> counters;
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::For && s.unroll > 1 && s.children[0])
      counters.insert(s.children[0]->var.get());
  });
  return counters;
}

/// Whether it is a multiple of four and one of some numbers that follow each other.
bool isNextToMultiple(const Expr &subscript, const std::set<const Var *> &counters) {
  if (subscript.kind != ExprKind::Binary || subscript.op != "+" ||
      !isMultipleOf(*subscript.args[0], 4))
    return false;
  const Expr &rest = *subscript.args[1];
  return rest.kind == ExprKind::Literal ||
         (rest.kind == ExprKind::Var && counters.contains(rest.var.get()));
}

} // namespace

bool isReadByFours(const StmtPtr &body, const Var &array) {
  const std::set<const Var *> counters = unrolledCounters(body);
  bool found = false;
  forEachExpr(body, [&](const Expr &e) {
    found |= e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var &&
             e.args[0]->var.get() == &array && isNextToMultiple(*e.args[1], counters);
  });
  return found;
}

} // namespace tangram::codegen
