// The one place where files from outside are read whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

namespace tangram::files {

/// Texts beyond this size are nobody's: models, manifests, plans and sources are far below.
inline constexpr std::uint64_t mostTextBytes = std::uint64_t{64} << 20;

/// Why a file could not be read.
struct Unreadable {
  std::string reason; ///< "No such file or directory", "it is a folder", "it is larger than 64 MiB"
};

/// All of a regular file, or of a pipe whose other end is open (a shell's `<(command)`); a pipe that
/// nobody writes to, a folder, a device and what is larger than `mostBytes` are refused.
std::variant<std::string, Unreadable> readFile(const std::filesystem::path &file,
                                               std::uint64_t mostBytes = mostTextBytes);

/// The same of a descriptor that is open, such as standard input.
std::variant<std::string, Unreadable> readDescriptor(int descriptor,
                                                     std::uint64_t mostBytes = mostTextBytes);

} // namespace tangram::files
