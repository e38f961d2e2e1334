#include "files/read_file.h"

#include "files/scratch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace tangram::files {

namespace {

using Read = std::variant<std::string, Unreadable>;

/// How long the other end of a pipe may take to write something.
constexpr int pipeMilliseconds = 10000;

std::string tooLarge(std::uint64_t mostBytes) {
  return "it is larger than " + std::to_string(mostBytes >> 20) + " MiB";
}

/// Opened without waiting for a writer, a pipe that has none reads as one that has ended.
bool hasWriter(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  return poll(&waiting, 1, pipeMilliseconds) > 0 && (waiting.revents & POLLIN) != 0;
}

} // namespace

Read readDescriptor(int descriptor, std::uint64_t mostBytes) {
  std::string text;
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t got = read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return Unreadable{reasonOf(errno)};
    if (got == 0)
      return text;
    if (text.size() + static_cast<std::size_t>(got) > mostBytes)
      return Unreadable{tooLarge(mostBytes)};
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Read readFile(const std::filesystem::path &file, std::uint64_t mostBytes) {
  Descriptor opened(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status{};
  if (!opened.valid() || fstat(opened.number(), &status) != 0)
    return Unreadable{reasonOf(errno)};
  if (S_ISDIR(status.st_mode))
    return Unreadable{"it is a folder"};
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
    struct stat null{};
    const bool isNull = stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev;
    return isNull ? Read(std::string()) : Read(Unreadable{"it is a device, no file"});
  }
  if (S_ISREG(status.st_mode) && static_cast<std::uint64_t>(status.st_size) > mostBytes)
    return Unreadable{tooLarge(mostBytes)};
  if (S_ISFIFO(status.st_mode) && !hasWriter(opened.number()))
    return Unreadable{"it is a pipe that nothing is written to"};
  if (fcntl(opened.number(), F_SETFL, 0) != 0)
    return Unreadable{reasonOf(errno)};
  return readDescriptor(opened.number(), mostBytes);
}

} // namespace tangram::files
