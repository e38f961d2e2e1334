// Running another program and reading what it says.
#pragma once

#include "runtime/session/result.h"

#include <string>
#include <vector>

namespace tangram::runtime {

struct ProcessResult {
  int status = 0;     ///< exit status, or 128 + the signal that ended it
  std::string output; ///< standard output and standard error, as they came
};

/// Run `arguments` (the first is looked up in PATH; no shell) and wait for it.
/// Standard input is empty. Error (Fault::Failed): "cc: cannot be started: No such file or
/// directory".
Result<ProcessResult> runProcess(const std::vector<std::string> &arguments);

} // namespace tangram::runtime
