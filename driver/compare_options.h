// The options of `tangram compare`.
#pragma once

#include "driver/commands/compare_command.h"
#include "driver/shared_options.h"

namespace tangram::driver {

/// What `compare` takes beside its options.
struct Compare {
  CompareOptions options;
  std::vector<std::string> machines; ///< MODEL or MODEL:TARGET
};

void addCompare(CLI::App &app, Shared &shared, Compare &compare, int &status);

} // namespace tangram::driver
