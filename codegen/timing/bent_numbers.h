// Numbers that come to places by divisions, fewer bits or choices: neighbouring rounds of a loop need not find neighbours
// there, so that a compiler's vector of rounds collects them, or is none.
#pragma once

#include "codegen/timing/samples.h"
#include "codegen/timing/walks.h"

#include <map>

namespace tangram::codegen {

class BentNumbers {
public:
  /// What a number may have been on its way: divided or cut off, so that neighbours are no neighbours any more, or
  /// chosen as well, as what is clamped is.
  enum class How { Cut, Any };

  /// `values`: of the numbers, as they are known when something is asked; they outlive this.
  explicit BentNumbers(const SampledValues &values) : values_(values) {}

  /// A variable is made of `value`, in a loop.
  void note(const ir::Var *var, const ir::ExprPtr &value, const Around &loop);

  /// Whether a number that is another one in each round of a loop has been that.
  bool has(const ir::ExprPtr &e, const Around &loop, How of) const;

  /// Of what is found anew for each element; the rest is found before the loop.
  double operationsOf(const ir::ExprPtr &place, const Around &loop) const;

private:
  bool varies(const ir::Expr &e, const Around &loop) const;
  bool hasVarying(const ir::ExprPtr &e, const Around &loop) const;

  const SampledValues &values_;
  /// And in the rounds of which loop: its sample.
  std::map<How, std::map<const ir::Var *, std::size_t>> bent_{{How::Cut, {}}, {How::Any, {}}};
};

} // namespace tangram::codegen
