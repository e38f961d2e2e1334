// Numbers that stand in a caller's data: where rows of a sparse matrix begin, how many neighbours a vertex has.
//
// On average they are what contracts say (codegen/timing/samples.h). But items whose loops go on for as long as
// such numbers say do not take equally long, and who executes together goes on as long as the longest. Of
// these lengths it is assumed that they vary by as much as they are on average: exponentially distributed,
// the longest of n is on average 1 + 1/2 + ... + 1/n times their mean. What a codelet cuts itself
// (LoweredPlan::relied) is taken to be cut evenly.
#pragma once

#include "codegen/timing/walks.h"

#include <map>
#include <vector>

namespace tangram::codegen {

class NumbersOfData {
public:
  explicit NumbersOfData(const LoweredPlan &plan) : plan_(plan) {}

  /// `var` is `value` now.
  void assign(const ir::Var *var, const ir::ExprPtr &value, const SampledValues &values);

  /// How many times as long as on average the longest of `lanes` items, the innermost of `nest`, goes on
  /// that each do so while `condition` holds. 1: it asks for no data, or all for the same.
  double longest(const ir::ExprPtr &condition, const SampledValues &values,
                 const std::vector<Around> &nest, double lanes) const;

  /// Where the numbers stand in arrays of the caller that `e` is made of: each place once, and the first few of many.
  std::vector<Samples> positions(const ir::ExprPtr &e, const SampledValues &values) const;

private:
  void collect(const ir::ExprPtr &e, const SampledValues &values, std::vector<Samples> &into) const;

  const LoweredPlan &plan_;
  std::map<const ir::Var *, std::vector<Samples>> known_;
};

} // namespace tangram::codegen
