#include "runtime/session/landlock.h"

#include "files/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace tangram::runtime {

namespace {

// The kernel's interface as of version 6 (uapi/linux/landlock.h); Debian 12's header knows version 2.
struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0; ///< since 4
  std::uint64_t scoped = 0;  ///< since 6
};

struct __attribute__((packed)) PathAttributes {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};

constexpr long createRuleset = 444, addRule = 445, restrictSelf = 446;
constexpr unsigned askForVersion = 1;
constexpr int pathBeneath = 1;

constexpr std::uint64_t writeFile = 1U << 1, refer = 1U << 13, truncateFile = 1U << 14;
/// Making and removing files and folders of any kind.
constexpr std::uint64_t changeFolder = 0x1FF0;
/// Connecting and binding of TCP; sockets without a file, signals.
constexpr std::uint64_t allOfNetwork = 3, allScopes = 3;

std::uint64_t handledBy(int version) {
  return writeFile | changeFolder | (version >= 2 ? refer : 0) |
         (version >= landlockKeepsFromTruncating ? truncateFile : 0);
}

std::size_t bytesOf(int version) {
  if (version >= landlockKeepsFromSignals)
    return sizeof(RulesetAttributes);
  return version >= landlockKeepsFromNetwork ? offsetof(RulesetAttributes, scoped)
                                             : offsetof(RulesetAttributes, network);
}

bool allow(int ruleset, std::uint64_t handled, const std::filesystem::path &path) {
  const files::Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status{};
  if (!place.valid() || fstat(place.number(), &status) != 0)
    return true; // nothing to allow
  const std::uint64_t ofFiles = handled & (writeFile | truncateFile);
  const PathAttributes rule{S_ISDIR(status.st_mode) ? handled : ofFiles, place.number()};
  return syscall(addRule, ruleset, pathBeneath, &rule, 0) == 0;
}

} // namespace

int landlockVersion() {
  const long version = syscall(createRuleset, nullptr, 0, askForVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool confineWriting(int version, const std::vector<std::filesystem::path> &writable) {
  const RulesetAttributes attributes{handledBy(version),
                                     version >= landlockKeepsFromNetwork ? allOfNetwork : 0,
                                     version >= landlockKeepsFromSignals ? allScopes : 0};
  const files::Descriptor ruleset(
      static_cast<int>(syscall(createRuleset, &attributes, bytesOf(version), 0)));
  if (!ruleset.valid())
    return false;
  for (const std::filesystem::path &path : writable) {
    if (!allow(ruleset.number(), attributes.files, path))
      return false;
  }
  return syscall(restrictSelf, ruleset.number(), 0) == 0;
}

} // namespace tangram::runtime
