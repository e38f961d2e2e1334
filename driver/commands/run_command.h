// tangram run: synthesize, then hand the bundles to tangram-run, a process of its
// own, because an OpenCL implementation may carry an LLVM that must not meet ours.
#pragma once

#include "driver/commands/synth_command.h"

namespace tangram::driver {

struct RunOptions {
  SynthOptions synth; ///< an empty output folder: a temporary one, removed afterwards
  std::vector<std::string> arguments; ///< passed on to `tangram-run run`
};

int runCommand(const RunOptions &options, const ir::Program &program,
               const composer::Machine &machine, std::ostream &err);

} // namespace tangram::driver
