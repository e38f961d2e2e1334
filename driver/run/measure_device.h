// tangram-run measure: what this machine's processor or an OpenCL device can do.
#pragma once

#include "runtime/session/result.h"

#include <CLI/CLI.hpp>

#include <string>

namespace tangram::driver {

struct MeasureOptions {
  std::string device; ///< OpenCL's, as --device has it; empty: the processor, through OpenMP
  std::string format = "text";
};

/// Adds the command to `app`; `chosen` becomes true when it is on the command line.
void addMeasure(CLI::App &app, MeasureOptions &options, bool &chosen);

/// Prints the figures. JSON: {"device", "type", "driver", "facts": {"threads": 8, ...}, "costs":
/// {"memory_seconds": 9e-8, ...}}, the costs as a model has them. Errors: runtime/measure/figures.h's.
runtime::Status measureDevice(const MeasureOptions &options);

} // namespace tangram::driver
