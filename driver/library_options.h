// The options of the commands that make code of plans: synth, run, interpret.
#pragma once

#include "driver/commands/interpret_command.h"
#include "driver/commands/run_command.h"
#include "driver/commands/synth_command.h"
#include "driver/shared_options.h"

namespace tangram::driver {

/// What `interpret` takes beside its options.
struct Interpret {
  InterpretOptions options;
  std::vector<std::string>
      sizes; ///< empty: usual ones, which are smaller of containers of many dimensions
  std::vector<std::string> tunables;
};

void addSynth(CLI::App &app, Shared &shared, SynthOptions &synth, int &status);
void addRun(CLI::App &app, Shared &shared, RunOptions &run, int &status);
void addInterpret(CLI::App &app, Shared &shared, Interpret &interpret, int &status);

} // namespace tangram::driver
