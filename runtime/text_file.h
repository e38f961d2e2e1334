// Whole files, read at once.
#pragma once

#include "runtime/result.h"

#include <filesystem>
#include <string>

namespace tangram::runtime {

/// Errors (Fault::Input): "FILE: cannot be read: No such file or directory".
Result<std::string> readTextFile(const std::filesystem::path &file);

} // namespace tangram::runtime
