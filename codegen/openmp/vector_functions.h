// C for what vectors of the compiler's cannot do by operators.
#pragma once

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

} // namespace tangram::codegen
