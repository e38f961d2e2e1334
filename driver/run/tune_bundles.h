// tangram-run tune: which settings of the tunables, and which of several bundles, are fastest here?
#pragma once

#include "driver/run/problem_options.h"
#include "runtime/tune/tuner.h"

#include <CLI/CLI.hpp>

#include <string>

namespace tangram::driver {

struct TuneCommand {
  ProblemOptions problem;
  std::string store;
  bool cold = false;
  std::string format = "text";
  runtime::TuneOptions options;
};

/// Adds the command to `app`; `chosen` becomes true when it is on the command line.
void addTune(CLI::App &app, TuneCommand &command, bool &chosen);

/// Runs it; results go to standard output. True: something could be measured.
runtime::Result<bool> tuneBundles(TuneCommand &command);

} // namespace tangram::driver
