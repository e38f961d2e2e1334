// The sandbox of a process that runs generated code. A bundle is a program that may be hostile (docs/bundle.md,
// "Trust"): a worker gives up all rights that no kernel needs before it loads anything of a bundle.
#pragma once

#include "ir/temporary_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tangram::runtime {

/// Made once by a process that starts workers; workers inherit it.
class Sandbox {
public:
  /// With the caches of compilers and drivers that are there, and PoCL's, which is made.
  Sandbox();

  /// In a worker: a session of its own, none of its owner's descriptors but `kept` and the standard ones,
  /// no input, no privileges by other programs, limits on files, descriptors, processes and, unless
  /// `hasDevice`, memory, TMPDIR a folder of its own, and Landlock where the kernel has it.
  void enter(int kept, bool hasDevice) const;

  /// The restrictions that hold here, one per line, for people.
  std::string description() const;

private:
  ir::TemporaryFolder temporary_;
  std::vector<std::filesystem::path> writable_;
  int landlock_; ///< version; 0: none
};

/// The sandbox of this process, made when it is first asked for; null where there shall be none.
const Sandbox *sandbox();
/// `--no-sandbox`: workers may do what this process may. Before the first worker.
void switchSandboxOff();

} // namespace tangram::runtime
