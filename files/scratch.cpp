#include "files/scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

namespace tangram::files {

namespace fs = std::filesystem;

namespace {

const std::string prefix = ".tangram-unfinished-";
constexpr int mostTries = 16;

/// 80 random bits as letters and digits; empty where the kernel has none.
std::string randomName() {
  constexpr const char *digits = "abcdefghijklmnopqrstuvwxyz234567";
  std::array<std::uint8_t, 16> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return {};
  std::string name;
  for (std::uint8_t byte : random)
    name += digits[byte % 32];
  return prefix + name;
}

/// Locks what has just been made. Another process may take it for a leftover until it is locked; then
/// it has no name any more.
bool isOurs(const Descriptor &made) {
  struct stat status{};
  return flock(made.number(), LOCK_EX) == 0 && fstat(made.number(), &status) == 0 &&
         status.st_nlink > 0;
}

template <class Make> Scratch scratch(const fs::path &folder, const Make &make) {
  for (int i = 0; i < mostTries; ++i) {
    const std::string name = randomName();
    if (name.empty())
      return {};
    fs::path path = folder.empty() ? fs::path(name) : folder / name;
    Descriptor made(make(path));
    if (!made.valid() && errno != EEXIST && errno != ENOENT)
      return {};
    struct stat status{};
    if (!made.valid() && stat(folder.empty() ? "." : folder.c_str(), &status) != 0)
      return {};
    if (made.valid() && isOurs(made))
      return {std::move(path), std::move(made)};
  }
  errno = EAGAIN;
  return {};
}

/// Whether nobody works on it any more, and it was made by this user.
bool isLeftover(const fs::path &path) {
  Descriptor opened(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  return opened.valid() && fstat(opened.number(), &status) == 0 && status.st_uid == geteuid() &&
         (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) &&
         flock(opened.number(), LOCK_EX | LOCK_NB) == 0;
}

} // namespace

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  if (this != &other) {
    (void)close();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

int Descriptor::close() {
  const int number = std::exchange(number_, -1);
  // A descriptor is closed also where close() was interrupted.
  return number < 0 || ::close(number) == 0 || errno == EINTR ? 0 : errno;
}

Scratch scratchFile(const fs::path &folder) {
  return scratch(folder, [](const fs::path &path) {
    return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  });
}

Scratch scratchFolder(const fs::path &folder) {
  return scratch(folder, [](const fs::path &path) {
    if (mkdir(path.c_str(), 0777) != 0)
      return -1;
    return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  });
}

void removeLeftovers(const fs::path &folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator each(folder.empty() ? "." : folder, error), end;
       !error && each != end; each.increment(error)) {
    if (each->path().filename().string().starts_with(prefix))
      found.push_back(each->path());
  }
  for (const fs::path &path : found) {
    if (isLeftover(path))
      fs::remove_all(path, error);
  }
}

std::string reasonOf(int code) { return std::generic_category().message(code); }

} // namespace tangram::files
