// Loop distribution: statements of a loop that need nothing of each other become loops of their own.
//
//   for (i) { for (j) { s[j] += f(i, j); t += g(i, j); } q[i] = t; }
//                    ->      for (i) for (j) s[j] += f(i, j);      for (i) { for (j) t += g(i, j); q[i] = t; }
//
// Done for a loop that cannot be cut, where one of the loops that it becomes can. Statements stay together that share a
// variable, and those where a later one touches in a round what an earlier one touches in a later round. A number that an
// outermost loop's round makes, and loops behind only read, is kept in a container of all rounds (scalar expansion):
//
//   for (i) { s = 0; for (j) s += a[i][j] * x[j]; for (j) y[j] += a[i][j] * s; }
//                    ->      for (i) { s = 0; for (j) s += a[i][j] * x[j]; s_all[i] = s; }
//                            for (i) for (j) y[j] += a[i][j] * s_all[i];
#pragma once

#include "algebra/nests.h"

#include <optional>
#include <vector>

namespace tangram::composer {

/// A container with an element for each round of a loop.
struct ExpandedScalar {
  ir::VarPtr container;
  ir::ExprPtr rounds;
};

struct DistributedLoops {
  ir::StmtPtr body;
  std::vector<ExpandedScalar> expanded; ///< parameters of the body that the codelet has to declare
};

/// The body of the codelet with such loops taken apart; nothing where there is none. `expands`: numbers of a round may be
/// kept in containers.
std::optional<DistributedLoops> withDistributedLoops(const ir::Codelet &codelet,
                                                     const algebra::Nest &nest, bool expands);

} // namespace tangram::composer
