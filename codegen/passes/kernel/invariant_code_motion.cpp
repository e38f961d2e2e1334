// Invariant code motion: a choice that is the same in all rounds of a loop is computed before it.
//
//   before: for (j < n) out[j] = in[(i < 1 ? m : i - 1) * n + j];
//   after:  row = i < 1 ? m : i - 1;  for (j < n) out[j] = in[row * n + j];
//
// Compilers leave the choice of a row, as padding makes it (clamp, wrap, mirror), in the loop, and make no vectors of what is
// read there.
#include "codegen/analysis/accesses.h"
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
      : plan_(plan), changing_(changedIn(loop)), roundsAreElements_(writesItsElement(loop)) {}

  /// `e` with variables in the place of invariant choices; where each round writes an element of its own, in the place of invariant
  /// expressions that contain a choice.
  ExprPtr named(const ExprPtr &e) {
    if (e->args.empty())
      return e;
    const bool isNamed = roundsAreElements_ ? contains(e, isChoice) : isChoice(*e);
    if (e->type.scalar == Scalar::Index && isNamed && staysInRounds(plan_, e, changing_))
      return variableOf(e);
    std::vector<ExprPtr> args;
    for (const ExprPtr &each : e->args)
      args.push_back(named(each));
    return withArgs(e, std::move(args));
  }

  std::vector<StmtPtr> declarations;

private:
  /// Whether each round writes an element of its own. Other loops sum, and the loop around them may be vectorized. A variable that
  /// holds a position with that loop's counter would become an array of positions, one for each lane, and compilers do not see
  /// that these are neighbours.
  static bool writesItsElement(const CountedLoop &loop) {
    bool writes = false;
    forEach(loop.body, [&](const Stmt &s) {
      writes |= s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index &&
                mentions(s.target, loop.i.get());
    });
    return writes;
  }

  static bool isChoice(const Expr &e) {
    return e.kind == ExprKind::Select || e.kind == ExprKind::Call ||
           (e.kind == ExprKind::Binary && (e.op == "/" || e.op == "%"));
  }

  ExprPtr variableOf(const ExprPtr &e) {
    for (const StmtPtr &each : declarations) {
      if (sameExpr(each->value, e))
        return varRef(each->var);
    }
    const bool isBinary = e->kind == ExprKind::Binary;
    const std::string name = isBinary && e->op == "/"   ? "quotient"
                             : isBinary && e->op == "%" ? "remainder"
                                                        : "row";
    declarations.push_back(declare(newVariable(name), e));
    return varRef(declarations.back()->var);
  }

  const LoweredPlan &plan_;
  std::set<const Var *> changing_;
  const bool roundsAreElements_;
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
