// Parts of arrays that workers have of their own.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

/// Where the part of worker number s.var begins, of an array of which it touches nothing else: its number times
/// something; null where that is not so, and where it is asked for one element only.
ir::ExprPtr beginOfPart(const ir::Stmt &s, const ir::Var &array);

} // namespace tangram::codegen
