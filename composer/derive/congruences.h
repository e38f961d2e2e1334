// Congruences: conditions of a nest that say that a number divides a position, `(y + pad - p) % stride == 0`.
#pragma once

#include "algebra/nests.h"
#include "composer/derive/windows.h"

#include <optional>
#include <vector>

namespace tangram::composer {

/// value % divisor == 0, where value is a * i + d * p + rest: i the counter of a loop that may be cut, whose rounds are
/// taken by their residues, and p that of a loop in it which does nothing where the condition does not hold.
struct Congruence {
  algebra::Polynomial value, divisor; ///< no counter is in the divisor
  ir::ExprPtr divisorText;
  BlockedLoop loop; ///< of i
  int inner = -1;   ///< of p; -1: there is none
  std::int64_t a = 1, d = 0;
  algebra::Polynomial rest;
};

/// The dividend and the divisor of a congruence: `e % s == 0`, `!(e % s)`, `e / s * s == e`.
struct Divided {
  ir::ExprPtr dividend, divisor;
};
std::optional<Divided> congruenceIn(const ir::ExprPtr &condition);

/// The congruences that decide in `if` statements. Reasons: of those that cannot be split.
std::vector<Congruence> congruencesOf(const ir::Codelet &codelet, const algebra::Nest &nest,
                                      std::vector<algebra::NestReason> &reasons);

} // namespace tangram::composer
