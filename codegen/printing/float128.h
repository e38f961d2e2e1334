// __float128, which GCC and Clang have and no standard: what C of it needs to be told.
#pragma once

#include "codegen/printing/math_functions.h"

#include <string>

namespace tangram::codegen {

/// Declarations of those functions that take such numbers: glibc's own are seen with some compiler options only.
std::string float128Declarations(const MathFunctions &functions);

} // namespace tangram::codegen
