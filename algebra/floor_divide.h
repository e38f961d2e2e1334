// Division of integers that rounds towards minus infinity, where that of C++ rounds towards zero.
#pragma once

#include <cstdint>

namespace tangram::algebra {

/// `b` must not be 0.
constexpr std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

} // namespace tangram::algebra
