#include "codegen/lockstep/constants.h"

#include "ir/assigned_variables.h"
#include "ir/expression_length.h"

namespace tangram::codegen {

using namespace ir;

namespace {

/// Loop variables that only the heads of their loops change: a constant of the body that is made
/// of them is what it was declared as for as long as it is visible.
std::set<const Var *> countersOf(const StmtPtr &body) {
  std::map<const Var *, int> assignments;
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
      ++assignments[s.target->var.get()];
  });
  std::set<const Var *> counters;
  forEach(body, [&](const Stmt &s) {
    if (s.kind != StmtKind::For || !s.children[0] || s.children[0]->kind != StmtKind::Decl)
      return;
    const Var *i = s.children[0]->var.get();
    bool head = s.children[1] && s.children[1]->kind == StmtKind::Assign &&
                s.children[1]->target->var.get() == i;
    if (assignments[i] == (head ? 1 : 0))
      counters.insert(i);
  });
  return counters;
}

bool isOfLanes(const Expr &e) { return e.kind == ExprKind::CoopIdx || e.kind == ExprKind::CoopDim; }

bool isWide(Scalar type) { return isInteger(type) && byteSize(type) >= 4; }

} // namespace

Constants::Constants(const StmtPtr &body) {
  const std::set<const Var *> counters = countersOf(body);
  const std::set<const Var *> changing = assignedIn(body);
  forEach(body, [&](const Stmt &s) {
    bool constant = s.kind == StmtKind::Decl && s.value && !changing.contains(s.var.get()) &&
                    s.var->kind == VarKind::Local && !s.var->type.isContainer() &&
                    !contains(s.value, [&](const Expr &e) {
                      bool changes = e.kind == ExprKind::Var && changing.contains(e.var.get()) &&
                                     !counters.contains(e.var.get());
                      return changes || e.kind == ExprKind::Index || e.kind == ExprKind::Call ||
                             e.kind == ExprKind::Atomic || e.kind == ExprKind::Allocate;
                    });
    if (!constant)
      return;
    const ExprPtr value = meaning(s.value);
    if (!isLongerThan(value, mostNodesOfMeaning))
      values_[s.var.get()] = value;
  });
}

ExprPtr Constants::meaning(const ExprPtr &e) const {
  return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
    auto found = each->kind == ExprKind::Var ? values_.find(each->var.get()) : values_.end();
    if (found != values_.end()) {
      // The conversion of a number of a lane, or of lanes, to 32 bits keeps it.
      const ExprPtr &value = found->second;
      bool keeps = value->type == each->type || isOfLanes(*value) ||
                   (isWide(each->type.scalar) &&
                    byteSize(each->type.scalar) >= byteSize(value->type.scalar));
      return keeps ? value : each;
    }
    if (each->kind != ExprKind::Cast || !isWide(each->type.scalar))
      return each;
    const ExprPtr &value = each->args[0];
    bool keeps = isOfLanes(*value) || (isWide(value->type.scalar) &&
                                       byteSize(each->type.scalar) >= byteSize(value->type.scalar));
    return keeps ? value : each;
  });
}

} // namespace tangram::codegen
