// The tunables of a plan: each __tunable of each compound codelet it composes,
// and each of its atomic ones.
#pragma once

#include "composer/plans/plan_rules.h"

namespace tangram::composer {

struct PlanTunable {
  std::string name;    ///< "p"
  std::string codelet; ///< "asso_tiled"
  int level = 0;       ///< where the codelet is composed
  /// The level whose number of workers it is, because the map over a partition in that many parts
  /// is distributed to them; -1: free.
  int workers = -1;
  ir::SourceLocation location;
};

/// In notation order; a codelet composed twice has its tunables listed twice.
std::vector<PlanTunable> tunables(const ir::PlanPtr &plan, const ir::Program &program,
                                  const Machine &machine);

} // namespace tangram::composer
