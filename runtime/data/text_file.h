// Whole files, read and written at once.
#pragma once

#include "runtime/session/result.h"

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace tangram::runtime {

/// Errors (Fault::Input): "FILE: cannot be read: No such file or directory".
Result<std::string> readTextFile(const std::filesystem::path &file);

/// Write what `content` prints: to a temporary file beside `file`, which is then renamed, so that there
/// is all of it or nothing. Errors (Fault::Input): "FILE: cannot be written: No such file or
/// directory", "FILE: cannot be written: it is a folder".
Status writeFile(const std::filesystem::path &file,
                 const std::function<void(std::ostream &)> &content);

} // namespace tangram::runtime
