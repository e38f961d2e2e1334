#include "runtime/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

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

} // namespace tangram::runtime
