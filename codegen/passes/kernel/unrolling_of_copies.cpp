// Unrolling of copies: each item has several elements under way of what the group copies (ir/stmt.h, `copies`). A branch on
// whether the group is inside of the input, asked in each turn, would keep compilers from that, so it is asked once.
//
// Rows alone: where places in a tile are found by divisions, several of them under way take registers that other
// groups on the unit would hide more with (game of life, 8192 x 8192, on an H200: 0.185 ms became 0.240).
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "ir/assigned_variables.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

class Copies {
public:
  explicit Copies(const LoweredPlan &plan)
      : plan_(plan), turns_(std::max(plan.machine->code.loadsInFlight / 2, 1U)),
        assigned_(assignedIn(plan.body)) {
    findConstantsOfGroups(plan.body);
  }

  StmtPtr unrolled(const StmtPtr &s) const {
    if (!s->copies || !isByRows(*s))
      return s;
    const std::vector<StmtPtr> body = withoutBlocks({s->children[0]});
    const bool asks = body.size() == 1 && body[0]->kind == StmtKind::If && body[0]->children[1] &&
                      isOfTheGroup(body[0]->value);
    if (!asks)
      return unrolledLoop(s, turns_);
    const Stmt &branch = *body[0];
    return ifThen(branch.value, copies(s, branch.children[0]), copies(s, branch.children[1]));
  }

private:
  StmtPtr copies(const StmtPtr &turns, const StmtPtr &body) const {
    return unrolledLoop(withOwnVariables(withChildren(turns, {body})), turns_);
  }

  /// Whether items take one element after the other, each at a place that is found without a division.
  static bool isByRows(const Stmt &copy) {
    bool divides = false;
    forEachExpr(copy.children[0], [&](const Expr &e) {
      divides |= e.kind == ExprKind::Binary && (e.op == "/" || e.op == "%");
    });
    return !divides && !hasLoop(copy.children[0]);
  }

  /// Whether all items of a group agree on it.
  bool isOfTheGroup(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.kind == ExprKind::Var && each.var->kind != VarKind::Param &&
              each.var->kind != VarKind::Tunable && !ofGroups_.contains(each.var.get()));
    });
  }

  void findConstantsOfGroups(const StmtPtr &s) {
    if (!s || (s->kind == StmtKind::Parallel && plan_.role(s->level) != Role::Host &&
               plan_.role(s->level) != Role::Group))
      return;
    const bool counts = s->kind == StmtKind::Parallel && s->var;
    const bool keeps = s->kind == StmtKind::Decl && s->value && !assigned_.contains(s->var.get()) &&
                       isOfTheGroup(s->value);
    if (counts || keeps)
      ofGroups_.insert(s->var.get());
    for (const StmtPtr &child : s->children)
      findConstantsOfGroups(child);
  }

  const LoweredPlan &plan_;
  unsigned turns_;
  std::set<const Var *> assigned_;
  std::set<const Var *> ofGroups_;
};

} // namespace

LoweredPlan unrollCopies(LoweredPlan plan) {
  const Copies copies(plan);
  const StmtPtr body = rewrite(plan.body, [&](const StmtPtr &s) { return copies.unrolled(s); });
  plan.body = body;
  return plan;
}

} // namespace tangram::codegen
