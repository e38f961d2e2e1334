#include "files/write_file.h"

#include "files/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <streambuf>
#include <system_error>

namespace tangram::files {

namespace fs = std::filesystem;

namespace {

/// Stream buffer that writes to a file descriptor and keeps the first error.
class DescriptorBuffer : public std::streambuf {
public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
    setp(pending_.data(), pending_.data() + pending_.size());
  }

  int error() const { return error_; }

protected:
  int_type overflow(int_type c) override {
    if (!flush())
      return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof()))
      sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

  std::streamsize xsputn(const char *text, std::streamsize count) override {
    if (count < epptr() - pptr())
      return std::streambuf::xsputn(text, count);
    return flush() && put(text, static_cast<std::size_t>(count)) ? count : 0;
  }

  int sync() override { return flush() ? 0 : -1; }

private:
  bool flush() {
    const bool good = put(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(pending_.data(), pending_.data() + pending_.size());
    return good;
  }

  bool put(const char *text, std::size_t count) {
    while (count > 0 && error_ == 0) {
      const ssize_t written = ::write(descriptor_, text, count);
      if (written < 0 && errno != EINTR)
        error_ = errno;
      if (written > 0) {
        text += written;
        count -= static_cast<std::size_t>(written);
      }
    }
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::array<char, 1 << 16> pending_{};
};

/// 0, or an errno.
int print(int descriptor, const Content &content) {
  DescriptorBuffer buffer(descriptor);
  std::ostream stream(&buffer);
  content(stream);
  stream.flush();
  return buffer.error() != 0 ? buffer.error() : stream ? 0 : EIO;
}

/// 0, or an errno. What cannot be synchronized (a pipe, some file systems) is none.
int synchronize(int descriptor) {
  while (fsync(descriptor) != 0) {
    if (errno != EINTR)
      return errno == EINVAL || errno == EROFS || errno == ENOTSUP ? 0 : errno;
  }
  return 0;
}

/// A device or a pipe is written as it is.
std::string writeThrough(const fs::path &file, const Content &content) {
  Descriptor opened(open(file.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (!opened.valid())
    return reasonOf(errno);
  int error = print(opened.number(), content);
  const int closed = opened.close();
  error = error != 0 ? error : closed;
  return error == 0 ? "" : reasonOf(error);
}

/// Follows a chain of links to a name that is no link, also where nothing has that name.
std::string followLinks(fs::path &file) {
  constexpr int mostLinks = 40;
  std::error_code error;
  for (int i = 0; i < mostLinks; ++i) {
    if (!fs::is_symlink(fs::symlink_status(file, error)))
      return {};
    const fs::path next = fs::read_symlink(file, error);
    if (error)
      return error.message();
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  return reasonOf(ELOOP);
}

/// The folder knows the new name after a power failure, too, where the file system can promise that.
void synchronizeFolder(const fs::path &folder) {
  Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.valid())
    (void)synchronize(opened.number());
}

std::string replaceFile(const fs::path &file, const mode_t *permissions, const Content &content) {
  const fs::path folder = file.parent_path();
  removeLeftovers(folder);
  Scratch fresh = scratchFile(folder);
  if (!fresh.descriptor.valid())
    return reasonOf(errno);
  int error = print(fresh.descriptor.number(), content);
  if (error == 0 && permissions && fchmod(fresh.descriptor.number(), *permissions) != 0)
    error = errno;
  if (error == 0)
    error = synchronize(fresh.descriptor.number());
  if (error == 0 && rename(fresh.path.c_str(), file.c_str()) != 0)
    error = errno;
  if (error != 0) {
    unlink(fresh.path.c_str());
    return reasonOf(error);
  }
  synchronizeFolder(folder);
  return {};
}

} // namespace

std::string writeFile(const fs::path &wanted, const Content &content) {
  fs::path file = wanted;
  if (std::string problem = followLinks(file); !problem.empty())
    return problem;
  struct stat status{};
  if (lstat(file.c_str(), &status) != 0)
    return errno == ENOENT && file.has_filename() ? replaceFile(file, nullptr, content)
                                                  : reasonOf(errno);
  if (S_ISDIR(status.st_mode))
    return "it is a folder";
  if (!S_ISREG(status.st_mode))
    return writeThrough(file, content);
  if (access(file.c_str(), W_OK) != 0)
    return reasonOf(errno); // renaming would replace what nobody may write
  const mode_t permissions = status.st_mode & 07777;
  return replaceFile(file, &permissions, content);
}

std::string writeFile(const fs::path &file, const std::string &content) {
  return writeFile(file, [&](std::ostream &stream) { stream << content; });
}

std::string writeNewFile(const fs::path &file, const std::string &content, bool isDurable) {
  Descriptor made(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!made.valid())
    return reasonOf(errno);
  int error = print(made.number(), [&](std::ostream &stream) { stream << content; });
  if (error == 0 && isDurable)
    error = synchronize(made.number());
  const int closed = made.close();
  error = error != 0 ? error : closed;
  return error == 0 ? "" : reasonOf(error);
}

} // namespace tangram::files
