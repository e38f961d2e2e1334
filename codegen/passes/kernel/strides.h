// Strides: how far apart the elements are that neighbouring rounds of a loop access, through names of the rounds.
//
//   row = 4 * i;  at = row + k;  ... x[at] ...        along i: 4
//
// This is for decisions about what is worth it, not for proofs: sums and products are taken not to wrap around (strideAlong in
// long_elements.h proves). Each name is looked at once, since names of names, each used twice, grow exponentially when they
// are written out.
#pragma once

#include "ir/expr.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace tangram::codegen {

struct Stride {
  std::int64_t elements = 0;
  bool isNumber = true; ///< false: a factor in it is not known when code is made
};

class Strides {
public:
  /// Strides along the loop with this counter. `names`: the values of constants. `isUniform`: whether an expression is the same in all rounds.
  Strides(ir::VarPtr counter, std::map<const ir::Var *, ir::ExprPtr> names,
          std::function<bool(const ir::ExprPtr &)> isUniform);

  /// None if the stride differs between rounds or is not known.
  std::optional<Stride> of(const ir::ExprPtr &position) const;

private:
  std::optional<Stride> ofName(const ir::Var *name) const;

  ir::VarPtr counter_;
  std::map<const ir::Var *, ir::ExprPtr> names_;
  std::function<bool(const ir::ExprPtr &)> isUniform_;
  mutable std::map<const ir::Var *, std::optional<Stride>> known_; ///< of names that were asked for
};

} // namespace tangram::codegen
