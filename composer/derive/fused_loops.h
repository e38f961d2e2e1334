// Loop fusion: neighbouring loops of the same rounds become one.
//
//   for (i) t[i] = f(x[i]);                 for (i) {
//   for (j) y[j] = g(t[j]);        ->         t[i] = f(x[i]);
//                                             y[i] = g(t[i]);
//                                           }
//
// Only where no round of the second loop touches what a later round of the first one does, and where the loop that
// follows is as parallel as the two were. Statements between the loops move in front of the first one or behind the second one.
// Loops in a fused body are fused in turn. Source: Allen & Kennedy, Optimizing Compilers for Modern Architectures, 6.2.5 and 8.6.
#pragma once

#include "algebra/nest_reason.h"
#include "ir/program.h"

#include <vector>

namespace tangram::composer {

struct FusedLoops {
  ir::StmtPtr body;
  std::vector<algebra::NestReason> fused; ///< each pair of loops that became one
  std::vector<algebra::NestReason>
      apart; ///< pairs that share a container, and what keeps them apart
};

/// Whether the reason is why two loops are not fused.
bool isOfFusion(const algebra::NestReason &why);

/// The body of a codelet that runs on one worker. Every variable of the result has a name of its own.
FusedLoops withFusedLoops(const ir::Codelet &codelet);

} // namespace tangram::composer
