// Values made up from a seed: SplitMix64 (Steele et al. 2014), used as a counter. The same seed
// gives the same values on every machine, whatever the number of threads.
#pragma once

#include "runtime/bundle/named_numbers.h"
#include "runtime/data/data_kind.h"
#include "runtime/data/host_array.h"

namespace tangram::runtime {

/// Fill `array` from stream `stream` of `seed`. Ordinary data: signed integers uniform in [-1000, 1000], unsigned
/// in [0, 1000], 8-bit ones over their whole range, bool 0 or 1, floating point in [-1, 1).
/// `constants`: the numbers of DataKind::Constants.
void generate(HostArray &array, std::uint64_t seed, std::uint64_t stream,
              DataKind kind = DataKind::Ordinary, const NamedNumbers &constants = {});

/// Integers in [low, high), ordinary ones uniform; low < high, and the element type holds them.
void generateWithin(HostArray &array, __int128 low, __int128 high, std::uint64_t seed,
                    std::uint64_t stream, DataKind kind = DataKind::Ordinary,
                    const NamedNumbers &constants = {});

/// Integers that never descend, the first `low` and the last `high`: offsets of rows. Ordinary ones: some
/// rows are empty, most short, few long; few: all are as long; sorted, reversed: each is longer, or shorter, than the
/// one before; edges: one holds everything. A single element is possible when low == high only.
void generateAscending(HostArray &array, std::uint64_t low, std::uint64_t high, std::uint64_t seed,
                       std::uint64_t stream, DataKind kind = DataKind::Ordinary);

} // namespace tangram::runtime
