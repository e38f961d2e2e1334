#include "ir/assigned_variables.h"

namespace tangram::ir {

std::set<const Var *> assignedIn(const StmtPtr &s) {
  std::set<const Var *> assigned;
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var)
      assigned.insert(each.target->var.get());
  });
  return assigned;
}

} // namespace tangram::ir
