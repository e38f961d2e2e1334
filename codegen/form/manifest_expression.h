// Expressions as a manifest spells them (runtime/bundle/expression.h): exact integers, so that types
// are seen only where C would change a number: conversions are functions named after the type,
// `u32(n)`, and a difference that may be negative is a sum.
#pragma once

#include "ir/expr.h"

#include <optional>
#include <string>

namespace tangram::codegen {

std::string manifestText(const ir::ExprPtr &e);

/// Whether `e` converts what may be below 0 to a size or an unsigned number: then it is a large one, and what is
/// computed with it has no value where that leaves 64 bits.
bool convertsNegative(const ir::Expr &e);

/// Why the manifest has no words for `e`: "it is about the floating-point value x". Nothing when it has.
std::optional<std::string> unwritable(const ir::ExprPtr &e);

} // namespace tangram::codegen
