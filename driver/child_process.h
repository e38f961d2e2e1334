// Another program, run to its end; and a folder for what it works on.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

/// A folder that goes when the command does.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  /// Empty when it could not be made; errno says why.
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// Where a child writes; empty: where this process does.
struct ChildOutput {
  std::filesystem::path out, err;
};

/// The exit status of `program` (a path); 1 when it could not be run, 3 when a signal ended it. Both
/// are told on `err`.
int runAndWait(const std::filesystem::path &program, const std::vector<std::string> &arguments,
               std::ostream &err, const ChildOutput &output = {});

} // namespace tangram::driver
