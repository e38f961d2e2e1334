// Names that are like others, and not the same.
#pragma once

#include <functional>
#include <string>

namespace tangram::ir {

/// `wanted`, or the first of `wanted_2`, `wanted_3`, ... that is not taken.
std::string uniqueName(const std::string &wanted,
                       const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::ir
