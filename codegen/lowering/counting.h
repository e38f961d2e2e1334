// Loops around kernels whose rounds the host can count.
#pragma once

#include "ir/stmt.h"

#include <optional>

namespace tangram::codegen {

/// for (t = from; t < below; t += by), of a `t` that nothing else changes.
struct Counting {
  ir::VarPtr t;
  ir::ExprPtr from, below, by;
  bool multiplies = false; ///< t *= by
  bool converted = false;  ///< the condition compares `t` as a number of another type
  ir::VarPtr falling; ///< the variable of a loop that counts down, for which `t` counts up; or null
  ir::ExprPtr value;  ///< of it, over `t`
};

/// Of a loop that counts up, with `<`, `<=` or `t + c <`, or several of these joined by `&&`; nothing where it is none.
std::optional<Counting> countingOf(const ir::Stmt &s);
/// The same of a loop that other conditions, joined by `&&`, may end before.
std::optional<Counting> countingAtMost(const ir::Stmt &s);

/// Of a loop that counts down to a number, by ones, or to 0 by a divisor, where no number in it is below 0: its
/// variable has no sign, or begins with a literal.
///
///   for (j = n; j > 0; j /= 2)  ->  for (c = 1; c < n + 1; c *= 2) with n / c for j
///   for (i = n; i > 2; --i)     ->  for (c = 0; c < max(n, 2) - 2; c += 1) with n - c for i
std::optional<Counting> fallingOf(const ir::Stmt &s);

} // namespace tangram::codegen
