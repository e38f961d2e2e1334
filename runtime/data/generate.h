// Values made up from a seed: SplitMix64 (Steele et al. 2014), used as a counter. The same seed
// gives the same values on every machine, whatever the number of threads.
#pragma once

#include "runtime/data/host_array.h"

namespace tangram::runtime {

/// Fill `array` from stream `stream` of `seed`: signed integers uniform in [-1000, 1000], unsigned
/// in [0, 1000], 8-bit ones over their whole range, bool 0 or 1, floating point in [-1, 1).
void generate(HostArray &array, std::uint64_t seed, std::uint64_t stream);

/// Integers uniform in [low, high), negative ones in two's complement; low < high, and the element
/// type holds them.
void generateWithin(HostArray &array, std::uint64_t low, std::uint64_t high, std::uint64_t seed,
                    std::uint64_t stream);

/// Integers that never descend, the first `low` and the last `high`: offsets of rows, some of
/// them empty, most short, few long. A single element is possible when low == high only.
void generateAscending(HostArray &array, std::uint64_t low, std::uint64_t high, std::uint64_t seed,
                       std::uint64_t stream);

} // namespace tangram::runtime
