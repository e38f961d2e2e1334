#include "codegen/analysis/multiples.h"

#include "codegen/form/building.h"

#include <algorithm>
#include <functional>

namespace tangram::codegen {

using namespace ir;

namespace {

using Sizes = std::optional<VariableSet>;

/// `ofVariable`: what has to be a multiple for a variable to be one.
Sizes sizesOf(const Expr &e, std::int64_t n,
              const std::function<Sizes(const VarPtr &)> &ofVariable) {
  const auto of = [&](std::size_t i) { return sizesOf(*e.args[i], n, ofVariable); };
  const auto when = [](bool isMultiple) {
    return isMultiple ? Sizes(VariableSet{}) : std::nullopt;
  };
  if (e.kind == ExprKind::Literal)
    return when(isInteger(e.type.scalar) && e.integer % n == 0);
  if (e.kind == ExprKind::Var)
    return isInteger(e.type.scalar) ? ofVariable(e.var) : std::nullopt;
  if (e.kind == ExprKind::Cast)
    return isInteger(e.args[0]->type.scalar) ? of(0) : std::nullopt;
  if (e.kind != ExprKind::Binary || !(e.op == "*" || e.op == "+"))
    return std::nullopt;
  Sizes left = of(0), right = of(1);
  if (e.op == "*")
    return !left || (right && right->size() < left->size()) ? right : left;
  if (left && right)
    left->merge(*right);
  return right ? left : std::nullopt;
}

} // namespace

bool isMultipleOf(const Expr &e, std::int64_t n) {
  return sizesOf(e, n, [](const VarPtr &) { return std::nullopt; }).has_value();
}

bool takesMultiplesOf(const Tunable &tunable, std::int64_t n) {
  return !tunable.values.empty() &&
         std::ranges::all_of(tunable.values, [&](std::int64_t each) { return each % n == 0; });
}

Multiples::Multiples(const LoweredPlan &plan) : plan_(plan), constants_(constantsOf(plan.body)) {}

std::optional<VariableSet> Multiples::sizesFor(const Expr &e, std::int64_t n) const {
  return sizesOf(e, n, [&](const VarPtr &var) { return sizesFor(var, n); });
}

std::optional<VariableSet> Multiples::sizesFor(const VarPtr &var, std::int64_t n) const {
  if (std::ranges::find(plan_.extents, var) != plan_.extents.end())
    return VariableSet{var};
  if (const Tunable *tunable = plan_.tunableOf(var))
    return takesMultiplesOf(*tunable, n) ? Sizes(VariableSet{}) : std::nullopt;
  const auto constant = constants_.find(var.get());
  return constant == constants_.end() ? std::nullopt : sizesFor(*constant->second, n);
}

} // namespace tangram::codegen
