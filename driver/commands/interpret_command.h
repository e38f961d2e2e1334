// tangram interpret: plans executed worker by worker, watched, and compared with what they mean.
#pragma once

#include "composer/plans/planner.h"
#include "driver/commands/interpretation_runs.h"

#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

struct InterpretOptions {
  std::string spectrum;
  std::string target;
  std::string plan = "best"; ///< "best", "all", an id, or a saved plan.json
  composer::PlanOptions planning;
  std::size_t limit = SIZE_MAX; ///< with "all": at most so many plans
  RunOptionsOfInterpreter runs;
  std::string format = "text";
};

/// `machine` is projected onto the target already. Exit status 0: all runs right, or refused with
/// another one right; 1: there is no such plan, or the spectrum means nothing; 3: a report, a
/// wrong value, or a plan that serves none of the sizes.
int interpretCommand(const InterpretOptions &options, const ir::Program &program,
                     const composer::Machine &machine, std::ostream &out, std::ostream &err);

/// What the command line has of sizes and tunables: `--size [NAME=]N[,N...]`,
/// `--tunable NAME=V[,V...]`. Error: Fault::Usage.
runtime::Status readSettings(const std::vector<std::string> &sizes,
                             const std::vector<std::string> &tunables,
                             RunOptionsOfInterpreter &runs);

} // namespace tangram::driver
