// What is stored in an element in front of its sum, and behind it, as part of the sum.
//
//   c[i] = b; sum = c[i]; for (k) sum += ...; c[i] = sum; c[i] /= n;
//       ->      sum = b; for (k) sum += ...; c[i] = sum / n;
//
// Loops of their own that store what sums start from are fused with the loops around these sums, where both go over the same
// elements.
#pragma once

#include "algebra/nests.h"

#include <map>

namespace tangram::composer {

/// The body of the codelet with one such store in the sum's declaration, or in the store behind it, or with one such loop fused;
/// null where there is none. `sums`: locals that are stored in an element behind the loop that follows their declaration,
/// and whether that still loads the element.
ir::StmtPtr withSumStarts(const ir::Codelet &codelet, const algebra::Nest &nest,
                          std::map<ir::VarPtr, bool> &sums);

} // namespace tangram::composer
