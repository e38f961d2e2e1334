// A folder for what a command works on.
#pragma once

#include <filesystem>
#include <string>

namespace tangram::ir {

/// For mkdtemp and mkstemp: "tangram-XXXXXX" in $TMPDIR, or in /tmp where that is no folder.
std::string temporaryPattern();

/// A folder in $TMPDIR (or /tmp) that goes with this object, and also when an interrupt, a hang-up
/// or a termination signal ends the process. The signal then does what it would have done.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// Empty when it could not be made; errno says why.
  const std::filesystem::path &path() const { return path_; }
  /// What was tried, for messages.
  const std::filesystem::path &wanted() const { return wanted_; }

private:
  std::filesystem::path path_, wanted_;
};

/// In a process forked off one with temporary folders: leave them to it.
void leaveTemporaryFolders();

} // namespace tangram::ir
