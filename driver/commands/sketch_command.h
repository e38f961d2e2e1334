// tangram sketch: the sketches of a source, or a plan turned into one.
#pragma once

#include "composer/plans/planner.h"

#include <ostream>
#include <string>

namespace tangram::driver {

struct SketchOptions {
  std::string spectrum;
  composer::PlanOptions planning;
  std::string plan; ///< as chosenPlan() takes it, looked for everywhere
  std::string format = "text";
};

/// The sketches that stand beside `source`, with what they are good for. Exit status: 0; 1 when the file is
/// wrong.
int listSketches(const std::string &source, const std::string &format, std::ostream &out,
                 std::ostream &err);

/// The structure of a plan as a sketch, which the plan fits. Exit status: 0; 1 when there is no such plan.
int sketchCommand(const SketchOptions &options, const ir::Program &program,
                  const composer::Machine &machine, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
