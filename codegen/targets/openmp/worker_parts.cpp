#include "codegen/targets/openmp/worker_parts.h"

#include "codegen/analysis/accesses.h"
#include "codegen/analysis/windows.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tangram::codegen {

using namespace ir;

ExprPtr beginOfPart(const Stmt &s, const Var &array) {
  std::set<const Var *> inside{s.var.get()};
  forEach(s.children[0], [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl || each.kind == StmtKind::Parallel)
      inside.insert(each.var.get());
  });
  const auto begins = [&](const ExprPtr &e) {
    if (e->kind != ExprKind::Binary || e->op != "*")
      return false;
    const bool first = e->args[0]->var == s.var;
    return (first || e->args[1]->var == s.var) &&
           !contains(e->args[first ? 1 : 0], [&](const Expr &each) {
             return each.kind == ExprKind::Index || inside.contains(each.var.get());
           });
  };
  ExprPtr begin;
  unsigned accesses = 0;
  bool same = true;
  forEachExpr(s.children[0], [&](const Expr &e) {
    if (e.kind != ExprKind::Index || e.args[0]->var.get() != &array)
      return;
    const std::vector<ExprPtr> summands = summandsOf(e.args[1]);
    const auto found = std::ranges::find_if(summands, begins);
    same &= found != summands.end() && (!begin || sameExpr(begin, *found));
    if (found != summands.end())
      begin = *found;
    ++accesses;
  });
  return same && accesses > 1 ? begin : nullptr;
}

} // namespace tangram::codegen
