#include "codegen/printing/example_sizes.h"

#include "algebra/size_expression.h"
#include "codegen/form/manifest_expression.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Tried in this order: a kernel of 3 is more of an example than one of 1.
std::vector<std::uint64_t> smallNumbers() {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t n = 3; n <= 64; ++n)
    numbers.push_back(n);
  numbers.insert(numbers.end(), {1, 2});
  return numbers;
}

/// The requirements on sizes alone.
class Demands {
public:
  Demands(const LoweredPlan &plan, std::uint64_t scalar) : shape_(contractsInOrder(plan)) {
    for (const VarPtr &parameter : plan.scalars)
      scalars_.values[parameter->name] = scalar;
    for (const ShapeContract &contract : shape_)
      contracts_.push_back(parsed(contract.equals));
    for (const Constraint &constraint : plan.constraints)
      conditions_.push_back(parsed(constraint.require));
  }

  /// How many demands do not hold: contracts that give no size of at least 1, and conditions.
  std::size_t broken(const VariableMap<std::uint64_t> &sizes) const {
    algebra::SizeBindings known = scalars_;
    for (const auto &[extent, size] : sizes)
      known.values[extent->name] = size;
    std::size_t count = 0;
    for (std::size_t i = 0; i < contracts_.size(); ++i) {
      const auto size = value(contracts_[i], known);
      if (!size || *size < 1)
        ++count;
      known.values[shape_[i].extent->name] = std::max<__int128>(size.value_or(1), 1);
    }
    for (const std::optional<algebra::SizeExpression> &condition : conditions_) {
      if (condition && isOf(*condition, known) && value(condition, known).value_or(0) == 0)
        ++count;
    }
    return count;
  }

private:
  static std::optional<algebra::SizeExpression> parsed(const ExprPtr &e) {
    if (unwritable(e))
      return std::nullopt;
    auto expression = algebra::SizeExpression::parse(manifestText(e));
    auto *found = std::get_if<algebra::SizeExpression>(&expression);
    return found ? std::optional(*found) : std::nullopt;
  }

  static std::optional<__int128> value(const std::optional<algebra::SizeExpression> &e,
                                       const algebra::SizeBindings &known) {
    if (!e)
      return std::nullopt;
    const auto result = e->evaluate(known);
    const auto *number = std::get_if<__int128>(&result);
    return number ? std::optional(*number) : std::nullopt;
  }

  /// Whether it is about sizes and scalars alone: tunables are somebody else's.
  static bool isOf(const algebra::SizeExpression &e, const algebra::SizeBindings &known) {
    return std::all_of(e.names().begin(), e.names().end(),
                       [&](const auto &name) { return known.values.count(name.text) > 0; });
  }

  std::vector<ShapeContract> shape_;
  algebra::SizeBindings scalars_;
  std::vector<std::optional<algebra::SizeExpression>> contracts_;
  std::vector<std::optional<algebra::SizeExpression>> conditions_;
};

} // namespace

std::vector<ShapeContract> contractsInOrder(const LoweredPlan &plan) {
  std::vector<ShapeContract> open = plan.shape, ordered;
  const auto isReady = [&](const ShapeContract &contract) {
    return std::ranges::none_of(open, [&](const ShapeContract &other) {
      return other.extent != contract.extent &&
             contains(contract.equals, [&](const Expr &e) { return e.var == other.extent; });
    });
  };
  while (!open.empty()) {
    auto next = std::ranges::find_if(open, isReady);
    if (next == open.end()) // they go round
      next = open.begin();
    ordered.push_back(*next);
    open.erase(next);
  }
  return ordered;
}

VariableMap<std::uint64_t> exampleSizes(const LoweredPlan &plan, std::uint64_t usual,
                                        VariableMap<std::uint64_t> sizes, std::uint64_t scalar) {
  std::vector<VarPtr> free;
  for (const VarPtr &extent : plan.extents) {
    const bool isDerived = std::any_of(plan.shape.begin(), plan.shape.end(),
                                       [&](const ShapeContract &c) { return c.extent == extent; });
    if (!isDerived && sizes.emplace(extent, usual).second)
      free.push_back(extent);
  }
  const Demands demands(plan, scalar);
  std::size_t least = demands.broken(sizes);
  // Each round changes the size that mends most.
  while (least > 0 && !free.empty()) {
    VariableMap<std::uint64_t> best = sizes;
    auto changed = free.end();
    for (auto extent = free.begin(); extent != free.end(); ++extent) {
      for (const std::uint64_t number : smallNumbers()) {
        VariableMap<std::uint64_t> tried = sizes;
        tried[*extent] = number;
        const std::size_t broken = demands.broken(tried);
        if (broken < least) {
          least = broken;
          best = std::move(tried);
          changed = extent;
        }
      }
    }
    if (changed == free.end())
      break;
    sizes = std::move(best);
    free.erase(changed);
  }
  return sizes;
}

} // namespace tangram::codegen
