// The rules of simplification that go by the form of an expression alone (algebra/simplify.h).
#pragma once

#include "algebra/simplify.h"
#include "algebra/simplify_ranges.h"

namespace tangram::algebra {

/// `e`, whose operands are simple already, by the first rule that applies; `e` itself when none does. `known`: what is
/// known of the place; null: nothing.
ir::ExprPtr step(const ir::ExprPtr &e, const Facts &facts, Ranges *known = nullptr);

} // namespace tangram::algebra
