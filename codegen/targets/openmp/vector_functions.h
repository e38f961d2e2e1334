// C for what vectors of the compiler's cannot do by operators.
#pragma once

#include "codegen/printing/math_functions.h"

#include <string>

namespace tangram::codegen {

/// The function `name` that makes rows of the columns of so many vectors of the type `vector`, of as many elements each: a
/// power of two. It takes as many steps as it takes to double one element to all lanes.
std::string turningFunction(const std::string &name, const std::string &vector, unsigned lanes);

/// The macro `name`(mask, a, b) that takes elements of `a`, vectors of the type `vector`, where comparing vectors gave -1,
/// and of `b` where it gave 0; `mask` is the type of signed integers as wide. No function, as those that take vectors
/// depend on how a compiler passes them.
std::string selectingMacro(const std::string &name, const std::string &vector,
                           const std::string &mask);

/// Declarations by which loops call those of them that glibc has for vectors (libmvec), with which a loop that calls them
/// becomes one of vectors; they are off by at most four units in the last place. Empty: it has none of them.
std::string vectorMathDeclarations(const MathFunctions &functions);

} // namespace tangram::codegen
