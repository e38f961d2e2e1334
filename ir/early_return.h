// Return promotion, first half: a codelet body in which every `return` stands in
// tail position, so that inlining it is storing its value.
#pragma once

#include "ir/stmt.h"

namespace tangram::ir {

/// before: for (...) { if (c) return a; }  return b;
/// after:  bool returned = false; T value;
///         for (...) { if (c) { value = a; returned = true; break; } }
///         if (returned) return value; else return b;
StmtPtr tailReturns(const StmtPtr &body, Scalar result);

} // namespace tangram::ir
