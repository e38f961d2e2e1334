// Functions of <math.h> that a text calls.
#pragma once

#include "ir/type.h"

#include <set>
#include <string>
#include <utility>

namespace tangram::codegen {

/// As they are called for doubles, and of which type.
using MathFunctions = std::set<std::pair<std::string, ir::Scalar>>;

} // namespace tangram::codegen
