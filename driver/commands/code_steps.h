// Which lines of generated code are of which step of its plan, by the comments that the code has.
#pragma once

#include <string>
#include <vector>

namespace tangram::driver {

/// For each line of `source` the steps, by their numbers, of the comment above it; none in the lines before
/// the first such comment and in functions that no step has made.
std::vector<std::vector<std::size_t>> stepsOfLines(const std::vector<std::string> &source,
                                                   const std::vector<std::string> &steps);

} // namespace tangram::driver
