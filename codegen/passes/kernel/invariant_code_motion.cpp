// Invariant code motion: a choice that is the same in all rounds of a loop is computed before it. Compilers take no choice of
// a row (of padding: clamp, wrap, mirror) out of a loop, and make no vectors of what is read there.
#include "codegen/analysis/counted_loops.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <set>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The choices of subscripts that have one value in all rounds of a loop.
class Fixed {
public:
  Fixed(const LoweredPlan &plan, const CountedLoop &loop)
      : plan_(plan), changing_(changedIn(loop)) {}

  /// `e` with variables in the place of choices that stay.
  ExprPtr named(const ExprPtr &e) {
    if (e->args.empty())
      return e;
    if (e->type.scalar == Scalar::Index && isChoice(e) && staysInRounds(plan_, e, changing_))
      return variableOf(e);
    std::vector<ExprPtr> args;
    for (const ExprPtr &each : e->args)
      args.push_back(named(each));
    return withArgs(e, std::move(args));
  }

  std::vector<StmtPtr> declarations;

private:
  static bool isChoice(const ExprPtr &e) {
    return contains(e, [](const Expr &each) {
      return each.kind == ExprKind::Select || each.kind == ExprKind::Call ||
             (each.kind == ExprKind::Binary && (each.op == "/" || each.op == "%"));
    });
  }

  ExprPtr variableOf(const ExprPtr &e) {
    for (const StmtPtr &each : declarations) {
      if (sameExpr(each->value, e))
        return varRef(each->var);
    }
    declarations.push_back(declare(newVariable("row"), e));
    return varRef(declarations.back()->var);
  }

  const LoweredPlan &plan_;
  std::set<const Var *> changing_;
};

} // namespace

LoweredPlan moveInvariantCode(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const auto loop = s->kind == StmtKind::For && s->lanes <= 1 ? countedLoop(*s) : std::nullopt;
    if (!loop || !isOfInnermostLoop(loop->body))
      return s;
    Fixed fixed(plan, *loop);
    std::vector<StmtPtr> children = s->children;
    children[2] = mapExprs(children[2], [&](const ExprPtr &e) { return fixed.named(e); });
    if (fixed.declarations.empty())
      return s;
    std::vector<StmtPtr> all = fixed.declarations;
    all.push_back(withChildren(s, std::move(children)));
    return block(all);
  });
  return plan;
}

} // namespace tangram::codegen
