// What a library was made of, as build tools read it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tangram::driver {

/// A rule of Make: `made: file file ...`, with what Make would take for more than a name escaped.
std::string depfileText(const std::filesystem::path &made, const std::vector<std::string> &files);

} // namespace tangram::driver
