#include "codegen/passes/kernel/strides.h"

#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

std::optional<Stride> sumOf(const Stride &a, const Stride &b) {
  Stride sum{0, a.isNumber && b.isNumber};
  if (__builtin_add_overflow(a.elements, b.elements, &sum.elements))
    return std::nullopt;
  return sum;
}

std::optional<Stride> times(const Stride &a, const ExprPtr &factor) {
  const auto number = literalValue(factor);
  Stride product{0, a.isNumber && number};
  if (number && __builtin_mul_overflow(a.elements, *number, &product.elements))
    return std::nullopt;
  return product;
}

} // namespace

Strides::Strides(VarPtr counter, std::map<const Var *, ExprPtr> names,
                 std::function<bool(const ExprPtr &)> isUniform)
    : counter_(std::move(counter)), names_(std::move(names)), isUniform_(std::move(isUniform)) {}

std::optional<Stride> Strides::of(const ExprPtr &position) const {
  if (isUniform_(position))
    return Stride{};
  if (position->kind == ExprKind::Cast && isInteger(position->type.scalar))
    return of(position->args[0]);
  if (position->kind == ExprKind::Var)
    return position->var == counter_ ? Stride{1} : ofName(position->var.get());
  if (position->kind != ExprKind::Binary)
    return std::nullopt;
  const ExprPtr &left = position->args[0], &right = position->args[1];
  const auto a = of(left), b = of(right);
  if (!a || !b)
    return std::nullopt;
  if (position->op == "*")
    return isUniform_(left) ? times(*b, left) : isUniform_(right) ? times(*a, right) : std::nullopt;
  if (position->op == "+")
    return sumOf(*a, *b);
  if (position->op == "-" && b->elements != INT64_MIN)
    return sumOf(*a, Stride{-b->elements, b->isNumber});
  return std::nullopt;
}

std::optional<Stride> Strides::ofName(const Var *name) const {
  const auto value = names_.find(name);
  if (value == names_.end())
    return std::nullopt;
  const auto known = known_.find(name);
  return known != known_.end() ? known->second : known_[name] = of(value->second);
}

} // namespace tangram::codegen
