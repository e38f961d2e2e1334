// Loop normalization: a loop counts its rounds by ones. Compilers have the loads of several rounds under way only where
// they know how many rounds there are. Of `for (i = a; i < b; i += s)` they do not: i might pass the largest number and be
// below b again, so that every round has to ask. On an H200 the pass is worth a factor of three in a matrix times a vector.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <map>
#include <memory>
#include <optional>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

class Counting {
public:
  explicit Counting(const LoweredPlan &plan) : plan_(plan) {}

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && s->span != Span::Turns)
      workers_[s->var.get()] = s->value;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child));
    const StmtPtr walked = withChildren(s, std::move(children));
    return walked->kind == StmtKind::For && walked->unroll > 1 ? counted(walked) : walked;
  }

private:
  StmtPtr counted(const StmtPtr &s) const {
    const std::optional<CountedLoop> loop = countedLoop(*s);
    if (!loop || loop->i->type.scalar != Scalar::Index)
      return s;
    const auto &[i, start, end, step, body] = *loop;
    const bool isStep = isTunable(plan_, step) || literalValue(step).value_or(0) > 1;
    if (!isStep || end->type.scalar != Scalar::Index || start->type.scalar != Scalar::Index ||
        assigns(body, i.get()) || !isFixedIn(end, body) || !isFixedIn(start, body))
      return s;
    // A worker's number is below the number of workers, so that nothing here is below 0.
    const auto worker =
        start->kind == ExprKind::Var ? workers_.find(start->var.get()) : workers_.end();
    const bool below =
        isLiteral(start, 0) || (worker != workers_.end() && sameExpr(worker->second, step));
    const ExprPtr reach =
        below ? binary("-", binary("-", binary("+", end, step), intLiteral(1)), start)
              : binary("+", binary("-", call("max", end->type, {end, start}), start),
                       binary("-", step, intLiteral(1)));
    Var counter = *i;
    counter.name = "round";
    const VarPtr round = std::make_shared<Var>(counter);
    const ExprPtr here = binary("+", start, binary("*", varRef(round), step));
    // As many for all workers where that is known when the kernel is compiled; the last one asks,
    // unless it is whole.
    const bool known = below && isCompileTime(plan_, end) && isCompileTime(plan_, step);
    const ExprPtr whole = binary("==", binary("%", end, step), intLiteral(0));
    const ExprPtr inside = binary("||", whole, binary("<", varRef(i), end));
    const StmtPtr rounds =
        countingLoop(round, known ? ceilDiv(end, step) : binary("/", reach, step),
                     block({declare(i, here), known ? ifThen(inside, body) : body}));
    return unrolledLoop(rounds, s->unroll, s->lanes);
  }

  const LoweredPlan &plan_;
  std::map<const Var *, ExprPtr> workers_;
};

} // namespace

LoweredPlan normalizeLoops(LoweredPlan plan) {
  plan.body = Counting(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
