// Numbers that all have to be small, without those that are surely no larger than others.
#pragma once

#include "algebra/expression_form.h"
#include "algebra/inequalities.h"
#include "codegen/form/kernel_ir.h"
#include "composer/analysis/partition_check_evaluate.h"

#include <cstdint>
#include <map>
#include <random>
#include <unordered_set>
#include <vector>

namespace tangram::codegen {

/// Of sizes, scalars and tunables of a plan; none of them is below 0.
class LargeNumbers {
public:
  static constexpr std::int64_t largestSmall = 0x7fffffff;

  /// `facts`: what is known of them, also later on.
  LargeNumbers(const LoweredPlan &plan, algebra::Inequalities &facts)
      : plan_(plan), facts_(facts) {}

  void add(const ir::ExprPtr &number);
  /// The largest of all; 0 where there are none.
  ir::ExprPtr largest() const;

private:
  bool isAtLeast(const ir::ExprPtr &a, const ir::ExprPtr &b);
  bool isKnown(const ir::ExprPtr &number);
  const std::vector<std::int64_t> &samplesOf(const ir::ExprPtr &number);
  std::int64_t sampleOf(const ir::VarPtr &var);

  const LoweredPlan &plan_;
  algebra::Inequalities &facts_;
  std::vector<ir::ExprPtr> numbers_;
  algebra::KnownVariables none_;
  algebra::ExpressionForm form_{none_};
  std::unordered_set<algebra::FormDigest, algebra::FormHash> forms_; ///< of all that were added
  std::vector<composer::Environment> cases_ = std::vector<composer::Environment>(24);
  std::map<ir::ExprPtr, std::vector<std::int64_t>> samples_; ///< by case
  std::minstd_rand random_;                                  ///< the same numbers every time
};

} // namespace tangram::codegen
