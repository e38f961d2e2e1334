// Upper bounds that are short enough to be written down.
#pragma once

#include "ir/expr.h"

#include <cstddef>

namespace tangram::codegen {

/// No less than `e`, and at most so many characters long as a manifest spells it: `e` itself where it is; else with
/// equal terms of its sums as one, then without the differences, quotients and minima in which something is taken
/// away. Null: no such bound is short. `e` is of sizes, counts and tunables, none of them below 0.
ir::ExprPtr shortBound(const ir::ExprPtr &e, std::size_t characters);

} // namespace tangram::codegen
