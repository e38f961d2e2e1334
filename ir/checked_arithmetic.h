// Arithmetic of signed 64 bits that wraps nowhere and traps nowhere: what has no result of that type has none.
#pragma once

#include <cstdint>
#include <optional>

namespace tangram::ir {

using CheckedNumber = std::optional<std::int64_t>;

inline CheckedNumber checkedSum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::nullopt : CheckedNumber(sum);
}

inline CheckedNumber checkedDifference(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  return __builtin_sub_overflow(a, b, &difference) ? std::nullopt : CheckedNumber(difference);
}

inline CheckedNumber checkedProduct(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::nullopt : CheckedNumber(product);
}

/// None by 0, nor of the smallest number by -1: processors trap.
inline CheckedNumber checkedQuotient(std::int64_t a, std::int64_t b) {
  return b == 0 || (a == INT64_MIN && b == -1) ? std::nullopt : CheckedNumber(a / b);
}

inline CheckedNumber checkedRemainder(std::int64_t a, std::int64_t b) {
  return b == 0 || (a == INT64_MIN && b == -1) ? std::nullopt : CheckedNumber(a % b);
}

/// Rounds of `for (i = first; i < end; i += step)` where `step` is above 0.
inline CheckedNumber checkedRounds(std::int64_t first, std::int64_t end, std::int64_t step) {
  if (step <= 0)
    return std::nullopt;
  if (end <= first)
    return 0;
  const CheckedNumber distance = checkedDifference(end, first);
  return distance ? CheckedNumber((*distance - 1) / step + 1) : std::nullopt;
}

} // namespace tangram::ir
