// Whole files, read and written at once, with errors of the runtime.
#pragma once

#include "files/read_file.h"
#include "files/write_file.h"
#include "runtime/session/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tangram::runtime {

/// See files::readFile. Errors (Fault::Input): "FILE: cannot be read: No such file or directory".
Result<std::string> readTextFile(const std::filesystem::path &file,
                                 std::uint64_t mostBytes = files::mostTextBytes);

/// See files::writeFile. Errors (Fault::Input): "FILE: cannot be written: No such file or directory".
Status writeFile(const std::filesystem::path &file, const files::Content &content);

} // namespace tangram::runtime
