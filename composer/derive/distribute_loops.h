// Loop distribution: statements of a loop that need nothing of each other become loops of their own.
//
//   for (i) { for (j) { s[j] += f(i, j); t += g(i, j); } q[i] = t; }
//                    ->      for (i) for (j) s[j] += f(i, j);      for (i) { for (j) t += g(i, j); q[i] = t; }
//
// Done for a loop that cannot be cut, where one of the loops that it becomes can. Statements stay together that share a
// variable, and those where a later one touches in a round what an earlier one touches in a later round.
#pragma once

#include "algebra/nests.h"

namespace tangram::composer {

/// The body of the codelet with such loops taken apart; null where there is none.
ir::StmtPtr withDistributedLoops(const ir::Codelet &codelet, const algebra::Nest &nest);

} // namespace tangram::composer
