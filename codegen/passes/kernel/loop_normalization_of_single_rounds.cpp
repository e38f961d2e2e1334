// Conditions for loops of one round: what an item has more of than the others is a loop that goes round once at most,
// `for (i = l / n; i < (l + n - 1 - item) / n; ++i)`. Compilers do not see that and wait for the loads of one such loop
// before those of the next begin. As a condition its loads are issued beside the others (on an H100 5 % of a sum).
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr unsigned effort = 24; // goals that a proof may look at

class SingleRounds {
public:
  explicit SingleRounds(const LoweredPlan &plan)
      : body_(plan.body), constants_(constantsOf(plan.body)), known_(GrowingPlanFacts(plan).now()) {
  }

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind != StmtKind::Parallel || !s->var)
      return once(withRunChildren(s));
    const Inequalities outside = known_;
    known_.assume(known_.of(s->value) - known_.of(varRef(s->var)) - 1);
    const StmtPtr inside = withRunChildren(s);
    known_ = outside;
    return inside;
  }

private:
  StmtPtr withRunChildren(const StmtPtr &s) {
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child));
    return withChildren(s, std::move(children));
  }

  StmtPtr once(const StmtPtr &s) {
    const auto loop = s->kind == StmtKind::For ? loopToTheEnd(*s) : std::nullopt;
    if (!loop || !isLiteral(loop->step, 1) || hasLoop(loop->body) || hasBarrier(loop->body) ||
        !isOneMore(loop->bound, loop->start))
      return s;
    return ifThen(binary("<", loop->start, loop->bound),
                  substitute(loop->body, {{loop->i.get(), loop->start}}));
  }

  /// Whether a quotient is at most one more than a constant that is another one: by the same number, which
  /// the dividend is at most so much larger.
  bool isOneMore(const ExprPtr &most, const ExprPtr &least) {
    const auto known =
        least->kind == ExprKind::Var ? constants_.find(least->var.get()) : constants_.end();
    if (known == constants_.end() || !isQuotient(most) || !isQuotient(known->second) ||
        !sameExpr(most->args[1], known->second->args[1]) || !isFixedIn(most, body_) ||
        !isFixedIn(known->second, body_))
      return false;
    return known_.isNonNegative(known_.of(known->second->args[0]) + known_.of(most->args[1]) -
                                    known_.of(most->args[0]),
                                effort);
  }

  static bool isQuotient(const ExprPtr &e) {
    return e->kind == ExprKind::Binary && e->op == "/" && e->type.scalar == Scalar::Index;
  }

  const StmtPtr &body_;
  std::map<const Var *, ExprPtr> constants_;
  Inequalities known_; ///< at the place
};

} // namespace

LoweredPlan singleRounds(LoweredPlan plan) {
  plan.body = SingleRounds(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
