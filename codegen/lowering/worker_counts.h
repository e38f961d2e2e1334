// How many workers take part, and in how many parts the work of one is done: tunables of the plan.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "ir/plan.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// "items", "rows of items".
std::string plural(const std::string &title);

class WorkerCounts {
public:
  explicit WorkerCounts(LoweredPlan &plan) : plan_(plan) {}

  /// The workers of a level: one number of items of each level; groups a number for each map.
  /// Their number is a tunable of the source with that name and domain, at `at`.
  ir::ExprPtr workersOf(int level, const std::string &name, const ir::TunableDomain &domain,
                        const ir::SourceLocation &at = {});
  /// The level a map is distributed to: the subordinate one, or rows of its workers.
  static int workersOf(const ir::PlanNode &map);
  /// Which workers of `level` run what is done `count` times: as many groups are started as a tunable
  /// says, and items and chains are as many as their level has.
  ir::Span spanOf(int level, const ir::ExprPtr &count) const;
  /// A parameter of `codelet` that no level's workers are.
  ir::ExprPtr freeTunable(const ir::Codelet &codelet, const ir::Var &tunable,
                          const std::string &what);
  /// Workers along a map's splits, outermost first: what `tunable` parts are spread over.
  std::vector<ir::ExprPtr> workerCounts(const ir::Codelet &codelet, const ir::PlanNode &map,
                                        const ir::Var &tunable);

private:
  const composer::Level &level(int index) const {
    return plan_.machine->levels[static_cast<std::size_t>(index)];
  }

  LoweredPlan &plan_;
};

} // namespace tangram::codegen
