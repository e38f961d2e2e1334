#pragma once

#include "ir/expr.h"

#include <vector>

namespace tangram::ir {

/// The operands of a condition's `&&`, in order: a, b and c of `a && (b && c)`; of another condition itself.
std::vector<ExprPtr> conjunctsOf(const ExprPtr &condition);

} // namespace tangram::ir
