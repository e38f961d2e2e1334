// SplitMix64 (Steele, Lea and Flood, 2014) as a counter: pseudo-random bits that need no state.
#pragma once

#include <cstdint>

namespace tangram::runtime {

/// Element `i` of the SplitMix64 sequence that starts at `state`; random access is what lets several threads fill
/// one array with the same values as one.
inline std::uint64_t splitmix64(std::uint64_t state, std::uint64_t i) {
  std::uint64_t z = state + (i + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

} // namespace tangram::runtime
