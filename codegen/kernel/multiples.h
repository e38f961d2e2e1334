// Of which numbers a subscript is a multiple, whatever sizes are.
#pragma once

#include "ir/expr.h"

namespace tangram::codegen {

/// Whether literals in `e` show it: `4 * i + 8` is a multiple of 4.
bool isMultipleOf(const ir::Expr &e, std::int64_t n);

} // namespace tangram::codegen
