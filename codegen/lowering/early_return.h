// Return promotion, first half: a codelet body in which every `return` stands in
// tail position, so that inlining it is storing its value.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

/// before: for (...) { if (c) return a; }  return b;
/// after:  bool returned = false; T value;
///         for (...) { if (c) { value = a; returned = true; break; } }
///         if (returned) return value; else return b;
ir::StmtPtr tailReturns(const ir::StmtPtr &body, ir::Scalar result);

} // namespace tangram::codegen
