// C for a square of vectors that is turned in registers.
#pragma once

#include <string>

namespace tangram::codegen {

/// The function `name` that makes rows of the columns of so many vectors of the type `vector`, of as many elements each: a
/// power of two. It takes as many steps as it takes to double one element to all lanes.
std::string turningFunction(const std::string &name, const std::string &vector, unsigned lanes);

} // namespace tangram::codegen
