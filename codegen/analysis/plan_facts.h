// What proofs may take for granted of a plan's numbers.
#pragma once

#include "algebra/expression_form.h"
#include "algebra/inequalities.h"
#include "codegen/form/kernel_ir.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

namespace tangram::codegen {

/// That tunables are no less than their least values, and that what the plan requires holds.
void assumePlan(algebra::Inequalities &facts, const LoweredPlan &plan);

/// What `e` is with values for its tunables; nothing where one has none, or where it is made of other things as well.
std::optional<std::int64_t>
valueWith(const LoweredPlan &plan, const ir::ExprPtr &e,
          const std::function<std::optional<std::uint64_t>(const Tunable &)> &valueOf);

/// The same with the defaults of tunables, where these are numbers.
std::optional<std::int64_t> defaultValue(const LoweredPlan &plan, const ir::ExprPtr &e);

/// The same with the least values of all tunables.
std::optional<std::int64_t> leastValue(const LoweredPlan &plan, const ir::ExprPtr &e);

/// The same with the greatest values of all tunables, of which none may be above `most`.
std::optional<std::int64_t> valueAtMost(const LoweredPlan &plan, const ir::ExprPtr &e,
                                        std::uint64_t most);

/// What `assumePlan` says of a plan that is being made, to which tunables and requirements are added; each is
/// written down once.
class GrowingPlanFacts {
public:
  explicit GrowingPlanFacts(const LoweredPlan &plan) : plan_(plan) {}

  /// What is known by now.
  algebra::Inequalities now() const;
  /// Whether that makes `a` at least as large as `b`, both exact; `effort`: goals that a proof may look at.
  bool isAtLeast(const ir::ExprPtr &a, const ir::ExprPtr &b, unsigned effort) const;
  /// Whether it leaves open that the value has wrapped around below 0.
  bool mayWrap(const ir::ExprPtr &value) const;

private:
  /// What `find` finds, of this form or another one where the same is known.
  bool answered(std::uint64_t question, std::initializer_list<ir::ExprPtr> asked,
                const std::function<bool()> &find) const;
  void update() const;

  const LoweredPlan &plan_;
  algebra::KnownVariables none_;
  mutable algebra::ExpressionForm form_{none_}; ///< of what is in `known_`
  mutable algebra::ExpressionForm::Mark atEnd_;
  mutable std::optional<algebra::Inequalities> known_;
  mutable std::vector<std::uint64_t> least_; ///< of tunables in `known_`
  mutable std::size_t constraints_ = 0;      ///< in `known_`
};

} // namespace tangram::codegen
