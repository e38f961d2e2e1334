// swap(a, b): two containers of one shape exchange what they name. It is a statement, an Eval of a
// call that no function of C has the name of.
#pragma once

#include "ir/stmt.h"

namespace tangram::ir {

/// `a` and `b`: variables that name containers, of kernels their arrays.
StmtPtr swapOf(ExprPtr a, ExprPtr b, SourceLocation at = {});

bool isSwap(const Stmt &s);

} // namespace tangram::ir
