// Literals of 64 bits without a sign that are above what a signed number can be.
#pragma once

#include "ir/expr.h"

namespace tangram::ir {

/// Whether the literal is such a one: `integer` has its bits, and is below 0. It is no literalValue().
inline bool isAboveSigned(const Expr &literal) {
  return literal.type.scalar == Scalar::U64 && literal.integer < 0;
}

} // namespace tangram::ir
