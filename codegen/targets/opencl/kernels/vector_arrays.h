// Which arrays of a group compilers may read by vectors.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

/// Whether items read neighbours of `array` that begin at a multiple of four elements: `array[4 * i + 1]`, or
/// `array[4 * i + e]` of a loop over e. Where the array begins at a vector they do, too.
bool isReadByFours(const ir::StmtPtr &body, const ir::Var &array);

} // namespace tangram::codegen
