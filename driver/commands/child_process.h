// Another program, run to its end.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

/// Where a child writes; empty: where this process does.
struct ChildOutput {
  std::filesystem::path out, err;
};

/// The exit status of `program` (a path); 1 when it could not be run, 3 when a signal ended it. Both
/// are told on `err`.
int runAndWait(const std::filesystem::path &program, const std::vector<std::string> &arguments,
               std::ostream &err, const ChildOutput &output = {});

} // namespace tangram::driver
