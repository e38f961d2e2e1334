// The options of `tangram check`, and of `check --equiv`.
#pragma once

#include "driver/commands/equivalence.h"
#include "driver/shared_options.h"

namespace tangram::driver {

/// What `check` does beside diagnosing.
struct Check {
  bool equivalence = false;
  std::string kinds = "usual"; ///< of data
  bool special = false;
  EquivalenceOptions options;
};

void addCheck(CLI::App &app, Shared &shared, Check &check, int &status);

} // namespace tangram::driver
