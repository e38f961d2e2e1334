#include "runtime/data/text_file.h"

#include "files/read_file.h"

namespace tangram::runtime {

Result<std::string> readTextFile(const std::filesystem::path &file, std::uint64_t mostBytes) {
  auto read = files::readFile(file, mostBytes);
  if (auto *why = std::get_if<files::Unreadable>(&read))
    return inputError(file.string() + ": cannot be read: " + why->reason);
  return std::get<std::string>(std::move(read));
}

Status writeFile(const std::filesystem::path &file, const files::Content &content) {
  const std::string reason = files::writeFile(file, content);
  if (reason.empty())
    return ok();
  return inputError(file.string() + ": cannot be written: " + reason);
}

} // namespace tangram::runtime
