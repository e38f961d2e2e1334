#include "runtime/data/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace tangram::runtime {

Result<std::string> readTextFile(const std::filesystem::path &file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code))
    return inputError(file.string() + ": cannot be read: it is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return inputError(file.string() + ": cannot be read: " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad())
    return inputError(file.string() + ": cannot be read: " + std::strerror(errno));
  return text;
}

Status writeFile(const std::filesystem::path &file,
                 const std::function<void(std::ostream &)> &content) {
  auto error = [&](const std::string &reason) {
    return inputError(file.string() + ": cannot be written: " + reason);
  };
  // The rename below would replace a device such as /dev/null by a file.
  std::error_code code;
  if (std::filesystem::exists(file, code) && !std::filesystem::is_regular_file(file, code))
    return error(std::filesystem::is_directory(file, code) ? "it is a folder"
                                                           : "it is no regular file");
  std::filesystem::path temporary = file;
  temporary += ".tmp" + std::to_string(getpid());
  std::ofstream stream(temporary, std::ios::binary);
  content(stream);
  stream.close();
  if (stream)
    std::filesystem::rename(temporary, file, code);
  if (stream && !code)
    return ok();
  std::string reason = code ? code.message() : std::strerror(errno);
  std::filesystem::remove(temporary, code);
  return error(reason);
}

} // namespace tangram::runtime
