#include "codegen/passes/kernel/large_numbers.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Goals that a proof may look at: it is tried for each two numbers.
constexpr unsigned effort = 60;

bool isExtreme(const Expr &e, const char *callee) {
  return e.kind == ExprKind::Call && e.callee == callee;
}

/// Whether b is a, one of the numbers that a is the sum or the largest of, or such a number divided.
bool isPartOf(const ExprPtr &b, const ExprPtr &a) {
  if (sameExpr(a, b))
    return true;
  if (isBinary(*b, "/"))
    return isPartOf(b->args[0], a);
  const auto isPart = [&](const ExprPtr &each) { return isPartOf(each, a); };
  if (isExtreme(*b, "min"))
    return std::ranges::any_of(b->args, isPart);
  if (isExtreme(*b, "max"))
    return std::ranges::all_of(b->args, isPart);
  return (isBinary(*a, "+") || isExtreme(*a, "max")) &&
         std::ranges::any_of(a->args, [&](const ExprPtr &each) { return isPartOf(b, each); });
}

} // namespace

void LargeNumbers::add(const ExprPtr &number) {
  if (const auto value = literalValue(number); value && *value <= largestSmall)
    return;
  if (isKnown(number) ||
      std::ranges::any_of(numbers_, [&](const ExprPtr &other) { return isAtLeast(other, number); }))
    return;
  std::erase_if(numbers_, [&](const ExprPtr &other) { return isAtLeast(number, other); });
  numbers_.push_back(number);
}

ExprPtr LargeNumbers::largest() const {
  ExprPtr all = numbers_.empty() ? intLiteral(0) : nullptr;
  for (const ExprPtr &each : numbers_)
    all = all ? call("max", scalarType(Scalar::Index), {all, each}) : each;
  return all;
}

/// Whether a is surely at least b. Of most pairs it is not in some of the cases, and no proof has to be looked for.
bool LargeNumbers::isAtLeast(const ExprPtr &a, const ExprPtr &b) {
  return isPartOf(b, a) ||
         (std::ranges::equal(samplesOf(a), samplesOf(b), std::ranges::greater_equal()) &&
          facts_.isNonNegative(facts_.of(a) - facts_.of(b), effort));
}

/// Whether the same was added before: most of what operations see are the same few numbers.
bool LargeNumbers::isKnown(const ExprPtr &number) {
  form_.backTo({});
  form_.add(number);
  const std::size_t variables = form_.numbered().size();
  for (std::size_t i = 0; i < variables; ++i) // which have numbers alone in a form
    form_.add(std::bit_cast<std::uintptr_t>(form_.numbered()[i].var.get()));
  return form_.isComplete() && !forms_.insert(form_.digest()).second;
}

/// What it is in the cases.
const std::vector<std::int64_t> &LargeNumbers::samplesOf(const ExprPtr &number) {
  std::vector<std::int64_t> &values = samples_[number];
  if (!values.empty())
    return values;
  for (composer::Environment &each : cases_) {
    forEach(number, [&](const Expr &part) {
      if (part.kind == ExprKind::Var && !each.variables.contains(part.var.get()))
        each.variables[part.var.get()] = sampleOf(part.var);
    });
    values.push_back(composer::evaluate(number, each).value_or(0));
  }
  return values;
}

/// Tunables are small, and few numbers are large: products of several are exact.
std::int64_t LargeNumbers::sampleOf(const VarPtr &var) {
  const auto bits = random_() % (plan_.tunableOf(var) ? 6 : 13);
  return 1 + static_cast<std::int64_t>(random_() % (std::uint64_t{1} << bits));
}

} // namespace tangram::codegen
