// A small interpreter of integer expressions, as a codelet would compute them:
// conversions, wrap-around and all, in the type of each node.
#pragma once

#include "ir/expr.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace tangram::composer {

/// What the leaves of an expression stand for.
struct Environment {
  std::map<const ir::Var *, std::int64_t> variables;
  /// Extents of container variables, by dimension.
  std::map<std::pair<const ir::Var *, std::int64_t>, std::int64_t> sizes;
  std::optional<std::int64_t> coopDim;
  std::optional<std::int64_t> coopIdx;
};

/// `value` converted to an integer type; 64-bit unsigned values keep their bits.
std::int64_t convertedTo(ir::Scalar type, std::int64_t value);

/// The value of `e`; none where it depends on data, on a variable that
/// `environment` does not know, or divides by zero. The right operand of && and
/// ||, and the branch of ?: not taken, need no value.
std::optional<std::int64_t> evaluate(const ir::ExprPtr &e, const Environment &environment);

} // namespace tangram::composer
