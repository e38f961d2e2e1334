// What lines two texts share and what each has alone.
#pragma once

#include <string>
#include <vector>

namespace tangram::driver {

std::vector<std::string> linesOf(const std::string &text);

/// The fewest lines to take away and add, as `diff -u` writes them: runs of changes with `context` lines
/// around, lines beginning with ' ', '-' or '+', runs apart by a line "...". Empty: they are the same.
std::vector<std::string> lineDifference(const std::vector<std::string> &before,
                                        const std::vector<std::string> &after, std::size_t context);

} // namespace tangram::driver
