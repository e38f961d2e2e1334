// What codelets require: of the caller, of sizes and tunables before a launch, and of elements, which
// the caller's contracts say something about.
#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/lowering/contracts.h"
#include "codegen/lowering/instantiation.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isNarrowed(const Expr &e) {
  return e.kind == ExprKind::Cast && byteSize(e.type.scalar) < byteSize(e.args[0]->type.scalar);
}

/// What `e`, which is not below 0, is at most: itself without conversions to unsigned types, and with sums and
/// products of these that do not wrap around.
ExprPtr unconverted(const ExprPtr &e) {
  if (!isUnsigned(e->type.scalar))
    return e;
  if (e->kind == ExprKind::Cast && isUnsigned(e->args[0]->type.scalar))
    return unconverted(e->args[0]);
  if (e->kind == ExprKind::Binary && (e->op == "+" || e->op == "*"))
    return binary(e->op, cast(Scalar::Index, unconverted(e->args[0])),
                  cast(Scalar::Index, unconverted(e->args[1])));
  return e;
}

/// a > b as b < a.
ExprPtr withSmallerFirst(const ExprPtr &condition) {
  if (condition->op == ">")
    return binary("<", condition->args[1], condition->args[0]);
  if (condition->op == ">=")
    return binary("<=", condition->args[1], condition->args[0]);
  return condition;
}

/// Whether a comparison of numbers that elements of a map are given follows from which element it is, and
/// from what the caller guarantees of the elements of inputs.
class NumbersOfElements {
public:
  NumbersOfElements(const LoweredPlan &plan, const Scope &scope) : plan_(plan), scope_(scope) {
    for (const ShapeContract &each : plan.shape)
      facts_.assumeCondition(binary("==", varRef(each.extent), each.equals));
    for (const Constraint &each : plan.constraints)
      facts_.assumeCondition(each.require);
  }

  bool satisfy(const ExprPtr &given) {
    if (given->kind != ExprKind::Binary)
      return false;
    note(given);
    ExprPtr condition = withSmallerFirst(given);
    if (condition->op == "<" || condition->op == "<=")
      condition = binary(condition->op, unconverted(condition->args[0]), condition->args[1]);
    if (!keepsValues(condition))
      return false;
    const algebra::Polynomial difference =
        facts_.of(condition->args[1]) - facts_.of(condition->args[0]);
    switch (condition->op.code()) {
    case Operator::Code::Less:
      return facts_.isPositive(difference);
    case Operator::Code::LessOrEqual:
      return facts_.isNonNegative(difference);
    case Operator::Code::NotEqual:
      return facts_.isPositive(difference) || facts_.isPositive(-difference);
    default:
      return false;
    }
  }

private:
  void note(const ExprPtr &e) {
    forEach(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var)
        noteWorker(each.var);
      if (each.kind == ExprKind::Index)
        noteElement(each);
    });
  }

  void noteWorker(const VarPtr &worker) {
    const ExprPtr *largest = scope_.largest(worker.get());
    const ExprPtr *smallest = scope_.smallest(worker.get());
    if ((!largest && !smallest) || !noted_.insert(worker.get()).second)
      return;
    if (smallest) {
      const ExprPtr least = scope_.closed(*smallest);
      note(least);
      facts_.assume(facts_.of(varRef(worker)) - facts_.unwrapped(least));
    }
    if (!largest)
      return;
    const ExprPtr most = scope_.closed(*largest);
    note(most);
    // There is a worker, so that the count is no 0; nor has it wrapped around.
    const bool isLast =
        most->kind == ExprKind::Binary && most->op == "-" && isLiteral(most->args[1], 1);
    facts_.assumeDeciding((isLast ? facts_.unwrapped(most->args[0]) - 1 : facts_.unwrapped(most)) -
                          facts_.of(varRef(worker)));
  }

  void noteElement(const Expr &e) {
    const auto buffer = std::ranges::find_if(
        plan_.buffers, [&](const Buffer &b) { return b.var == e.args[0]->var; });
    if (buffer == plan_.buffers.end() || buffer->access != "in")
      return;
    for (const DataContract &c : plan_.data) {
      if (c.container != buffer->var || !isInteger(e.type.scalar))
        continue;
      // The last of ascending elements is what the others are not above.
      const std::int64_t last = c.kind == "ascending" ? 0 : 1;
      const algebra::Polynomial element = facts_.of(std::make_shared<Expr>(e));
      facts_.assume(element - facts_.of(c.low));
      facts_.assume(facts_.of(c.high) - last - element);
    }
  }

  /// Whether no conversion to an unsigned type has something below 0, and nothing is too large for its
  /// type, but for what then is smaller and should be.
  bool keepsValues(const ExprPtr &condition) {
    bool keeps = true;
    const bool small = condition->op == "<" || condition->op == "<=";
    forEach(condition, [&](const Expr &e) {
      const bool wraps = e.kind == ExprKind::Binary && e.type.scalar != Scalar::Bool &&
                         e.type.scalar != Scalar::Index;
      if (wraps || isFloating(e.type.scalar))
        keeps = false;
      if (e.kind == ExprKind::Cast && !isSigned(e.type.scalar) && isSigned(e.args[0]->type.scalar))
        keeps &= facts_.isNonNegative(facts_.of(e.args[0]));
      if (isNarrowed(e))
        keeps &= small && !isSigned(e.type.scalar) && !contains(condition->args[1], isNarrowed);
    });
    return keeps;
  }

  const LoweredPlan &plan_;
  const Scope &scope_;
  algebra::Inequalities facts_;
  std::set<const Var *> noted_;
};

/// Whether a condition is about a number that the codelet is given.
bool mentionsNumber(const ExprPtr &condition) {
  return contains(condition, [](const Expr &e) {
    return e.kind == ExprKind::Var && e.var->kind == VarKind::Param && !e.type.isContainer();
  });
}

} // namespace

/// What is said of the sizes of containers that a codelet gets, where these are the caller's.
void Instantiation::noteTypical(const PlanNode &node, const std::vector<Value> &args) {
  for (const Codelet &codelet : program_.spectrum(node.spectrum)->codelets) {
    for (const Typical &each : codelet.typical) {
      if (each.what->kind != ExprKind::Size)
        continue;
      const auto param = std::ranges::find(codelet.params, each.what->args[0]->var);
      const auto *view =
          std::get_if<View>(&args[static_cast<std::size_t>(param - codelet.params.begin())]);
      const auto dimension = static_cast<std::size_t>(each.what->integer);
      if (!view || dimension >= view->dims.size())
        continue;
      const ExprPtr &extent = view->dims[dimension].extent;
      if (extent->kind == ExprKind::Var &&
          std::ranges::find(plan_.extents, extent->var) != plan_.extents.end())
        plan_.typical.try_emplace(extent->var, each.value);
    }
  }
}

/// What a codelet requires of a container's elements: the caller's data are in contracts.cpp.
void Instantiation::relyOn(Instance &in, const Expr &condition) {
  if (condition.args[0]->var->kind == VarKind::Param)
    return;
  const View array = std::get<View>(evaluate(in, condition.args[0]));
  plan_.relied.push_back({array.buffer, condition.callee,
                          scope_.closed(evaluateScalar(in, condition.args[1])),
                          scope_.closed(evaluateScalar(in, condition.args[2]))});
}

/// Whether a condition is satisfied where no number is too large for the type of a parameter that it is handed
/// to: then launches are refused at whose sizes one may be.
bool Instantiation::holdsOfWholeNumbers(const Instance &in, const ExprPtr &condition,
                                        const Stmt &s) {
  std::vector<ExprPtr> fitting;
  bool known = true;
  const ExprPtr whole = rewrite(condition, [&](const ExprPtr &e) -> ExprPtr {
    if (!isNarrowed(*e) || e->type.scalar != Scalar::U32 ||
        e->args[0]->type.scalar != Scalar::Index)
      return e;
    const ExprPtr most = scope_.upperBound(e->args[0]);
    known &= most != nullptr;
    if (most)
      fitting.push_back(binary("<=", most, intLiteral(std::numeric_limits<std::uint32_t>::max())));
    return e->args[0];
  });
  if (fitting.empty() || !known || !NumbersOfElements(plan_, scope_).satisfy(whole))
    return false;
  for (const ExprPtr &fits : fitting)
    constrain(simplified(fits), in.codelet->name() + " at level " + level(in.node->level).name +
                                    " requires " + asWritten(s.value) + " " +
                                    inParentheses(s.location));
  return true;
}

void Instantiation::lowerRequire(Instance &in, const Stmt &s) {
  if (s.value->kind == ExprKind::Call &&
      (s.value->callee == "within" || s.value->callee == "ascending"))
    return relyOn(in, *s.value);
  if (isShape(s.value)) {
    // The caller's to keep: checked for the library's own arguments, relied on in between.
    const ExprPtr condition = evaluateScalar(in, s.value);
    if (condition->kind == ExprKind::Binary && condition->op == "==" &&
        sameExpr(scope_.closed(condition->args[0]), scope_.closed(condition->args[1])))
      return;
    if (isLiteral(scope_.closed(condition), 0))
      refuse(in.codelet->name() + " requires " + asWritten(s.value) + ", which never holds here",
             s.location);
    return;
  }
  if (mentionsNumber(s.value)) {
    // That an element's number is below how many there are is known of its name, not of what splits make it of.
    const ExprPtr asNamed = evaluateScalar(in, s.value);
    if (NumbersOfElements(plan_, scope_).satisfy(scope_.closed(asNamed)) ||
        NumbersOfElements(plan_, scope_).satisfy(asNamed) || holdsOfWholeNumbers(in, asNamed, s))
      return;
  }
  // In `small <= large` what is on the left may be as large as its bound says.
  ExprPtr condition = s.value;
  bool less =
      condition->kind == ExprKind::Binary && (condition->op == "<" || condition->op == "<=");
  bool more =
      condition->kind == ExprKind::Binary && (condition->op == ">" || condition->op == ">=");
  auto exact = [&](const ExprPtr &e) { return scope_.closed(evaluateScalar(in, e)); };
  ExprPtr lowered;
  if (less || more) {
    ExprPtr small = condition->args[less ? 0 : 1];
    ExprPtr large = exact(condition->args[less ? 1 : 0]);
    in.sizesAsBounds = true;
    small = evaluateScalar(in, small);
    const ExprPtr bound = scope_.upperBound(small);
    small = bound ? bound : scope_.upperBound(scope_.closed(small));
    in.sizesAsBounds = false;
    if (small)
      lowered = simplified(binary(condition->op, less ? small : large, less ? large : small));
  } else {
    lowered = exact(condition);
  }
  bool checkable = lowered && scope_.upperBound(lowered) == lowered;
  std::string what = "requires " + asWritten(condition);
  // The caller keeps an equation between sizes of parts, as it keeps a shape.
  if (!checkable && isEquationOfSizes(condition))
    return;
  if (!checkable)
    refuse(in.codelet->name() + " " + what + ", which cannot be checked before launch", s.location);
  if (isLiteral(lowered, 1))
    return;
  if (isLiteral(lowered, 0))
    refuse(in.codelet->name() + " " + what + ", which never holds here", s.location);
  constrain(lowered, in.codelet->name() + " at level " + level(in.node->level).name + " " + what +
                         " " + inParentheses(s.location));
}

} // namespace tangram::codegen
