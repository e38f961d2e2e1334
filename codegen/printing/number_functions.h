// Functions that generated code defines, since C and OpenCL C have none with C++'s meaning for every number: std::min and
// std::max, which choose by one comparison, quotients and absolute values that wrap around, conversions to integers of what
// does not fit one.
#pragma once

#include "ir/expr.h"

#include <functional>
#include <set>
#include <string>

namespace tangram::codegen {

/// Callees of calls that the printer replaces by number functions; no function of a program can have these names.
inline constexpr const char *wrappingQuotient = "wrapping /";
inline constexpr const char *wrappingRemainder = "wrapping %";
inline constexpr const char *wrappingAbsolute = "wrapping abs";

/// Whether it is one of these.
bool isWrapping(const std::string &function);

struct NumberFunction {
  /// One of the above, "min", "max", "fmin", "fmax", "" of a conversion, or "result f32" of a rounding.
  std::string function;
  ir::Scalar type;
  ir::Scalar from; ///< what is converted; otherwise `type`

  auto operator<=>(const NumberFunction &) const = default;
};

/// "min_f32", "quotient_i32", "i32_of_f64"; ir/reserved_names.h knows them.
std::string nameOf(const NumberFunction &function);

using TypeNames = std::function<std::string(ir::Scalar)>;
/// Definitions in C, or OpenCL C, in which types are called so.
std::string definitionsOf(const std::set<NumberFunction> &functions, const TypeNames &typeName);

} // namespace tangram::codegen
