// Running another program and reading what it says.
#pragma once

#include "runtime/session/result.h"

#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

struct ProcessResult {
  int status = 0;     ///< exit status, or 128 + the signal that ended it
  std::string output; ///< standard output and standard error, as they came
};

/// Run `arguments` (the first is looked up in PATH; no shell) and wait for it, for so many seconds at most: then it is ended,
/// with all processes that it has started. Standard input is empty. Errors (Fault::Failed): "cc: cannot be started: No such
/// file or directory", "cc: ended after 30 s" (Ending::TimedOut).
Result<ProcessResult> runProcess(const std::vector<std::string> &arguments,
                                 std::optional<double> secondsLimit = std::nullopt);

} // namespace tangram::runtime
