// Rows of words under each other, for people.
#pragma once

#include <string>
#include <vector>

namespace tangram::driver {

/// Columns two blanks apart, the first one to the left, the others to the right; each line begins with
/// `indent` and ends in a newline.
std::string table(const std::vector<std::vector<std::string>> &rows, const std::string &indent);

} // namespace tangram::driver
