// The command `init`: a folder to begin with.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

namespace tangram::driver {

struct InitOptions {
  /// A folder that is not there yet, or empty. Its last part names the spectrum, and is a name in C.
  std::filesystem::path folder;
  std::string hw = "cpu"; ///< model that the project is made for
};

/// Writes a spectrum of one loop, a program that calls it, a CMake project with a test that runs all codelets against
/// the loop, and what clangd needs to read codelets. Exit status: 0, 1 where files cannot be written or something is in
/// the way, 2 for a name that C has no use for.
int initCommand(const InitOptions &options, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
