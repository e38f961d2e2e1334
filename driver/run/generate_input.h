// tangram-run generate: inputs that are real problems, written to files.
#pragma once

#include "runtime/session/result.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace tangram::driver {

struct GenerateOptions {
  std::string problem; ///< "poisson", "grid-graph", "dominant-matrix" or "clusters"
  std::string size;    ///< as --size has it: 1000, 2^20
  std::string file;
  std::string element = "float";              ///< "float" or "double": of "dominant-matrix"
  std::uint64_t dimensions = 2, clusters = 8; ///< of "clusters"
  std::uint64_t seed = 1;                     ///< of "clusters" and "dominant-matrix"
};

/// Adds the command to `app`; `chosen` becomes true when it is on the command line.
void addGenerate(CLI::App &app, GenerateOptions &options, bool &chosen);

/// Errors: Fault::Usage for the options, Fault::Input for a file that cannot be written.
runtime::Status generateInput(const GenerateOptions &options);

} // namespace tangram::driver
