// What has to hold before a launch so that a plan is right, where the code that needs it runs at all.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/form/manifest_expression.h"
#include "codegen/lowering/instantiation.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool mentionsTunable(const LoweredPlan &plan, const ExprPtr &e) {
  return contains(
      e, [&](const Expr &each) { return each.kind == ExprKind::Var && plan.tunableOf(each.var); });
}

/// Whether a manifest can say it, whose numbers are exact: none that may be below 0 becomes one that is not.
bool meansTheSameInManifests(const ExprPtr &e) {
  return !unwritable(e) && !contains(e, convertsNegative);
}

} // namespace

/// Lowers `body`, which runs where `condition` holds.
void Instantiation::where(const ExprPtr &condition, const std::function<void()> &body) {
  const ExprPtr known = simplified(scope_.closed(condition));
  const bool always = known->op == "<" && isLiteral(known->args[0], 0) &&
                      scope_.isAtLeast(known->args[1], intLiteral(1));
  const bool says = !literalValue(known) && scope_.upperBound(known) == known && !always &&
                    meansTheSameInManifests(known);
  if (says)
    given_.push_back(known);
  body();
  if (says)
    given_.pop_back();
}

/// From now on a launch is refused unless `condition`, over sizes, scalars and tunables, holds. What sizes
/// alone decide has to hold only where the code at hand runs; tunables are chosen by it in any case.
void Instantiation::constrain(ExprPtr condition, const std::string &reason) {
  auto isRequired = [&] {
    return std::ranges::any_of(plan_.constraints, [&](const Constraint &known) {
      return sameExpr(known.require, condition);
    });
  };
  if (isRequired())
    return;
  if (!mentionsTunable(plan_, condition)) {
    for (auto given = given_.rbegin(); given != given_.rend(); ++given)
      condition = binary("||", negated(*given), condition);
  }
  if (!isRequired())
    plan_.constraints.push_back({condition, reason});
}

/// `e` with differences that do not wrap around: a launch at whose sizes one does is refused, where its value is asked
/// for. Nor does it divide by 0.
ExprPtr Instantiation::withoutWrapping(const ExprPtr &e, const std::string &name) {
  std::vector<ExprPtr> args;
  for (const ExprPtr &arg : e->args) {
    // A choice asks for one of two values.
    if (e->kind != ExprKind::Select || args.empty())
      args.push_back(withoutWrapping(arg, name));
    else
      where(args.size() == 1 ? e->args[0] : negated(e->args[0]),
            [&] { args.push_back(withoutWrapping(arg, name)); });
  }
  const ExprPtr exact = args.empty() ? e : withArgs(e, std::move(args));
  if (e->kind == ExprKind::Binary && (e->op == "/" || e->op == "%") &&
      !scope_.isAtLeast(exact->args[1], intLiteral(1)))
    return binary(e->op, exact->args[0], maxOf(intLiteral(1), exact->args[1]));
  if (e->kind != ExprKind::Binary || e->op != "-" || isSigned(e->type.scalar) ||
      scope_.isAtLeast(exact->args[0], exact->args[1]))
    return exact;
  constrain(simplified(binary("<=", exact->args[1], exact->args[0])),
            "the number of elements of '" + name + "' must not be below 0");
  return sub(exact->args[0], minOf(exact->args[0], exact->args[1]));
}

/// The most elements that an array needs, over sizes and tunables, where none of the differences in it wraps
/// around: a launch at whose sizes one does is refused where the array is made, and else gets no memory for it.
/// Nor does it make a size of a number below 0, where the array is not made.
ExprPtr Instantiation::elementsOf(const ExprPtr &most, const std::string &name) {
  ExprPtr elements = withoutWrapping(most, name);
  if (contains(elements, convertsNegative)) {
    for (auto given = given_.rbegin(); given != given_.rend(); ++given)
      elements = select(*given, elements, intLiteral(0));
  }
  return elements;
}

} // namespace tangram::codegen
