// Does a partition hold every element of its container exactly once? Tried on
// small sizes and few parts: mistakes in the bounds of a partition show there
// (the dissertation's own figure 4.3(d) has one, see partition_check_test.cpp).
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tangram::composer {

/// Bounds of the search, both exclusive: sizes from 0, tunables without a domain from 1.
struct PartitionTrial {
  std::int64_t sizeBelow = 60;
  std::int64_t tunableBelow = 20;
};

/// The first sizes and tunables, in lexicographic order (sizes first, then
/// tunables, each in order of appearance), for which a partition is not exact.
struct PartitionCounterexample {
  /// Name (`len` if the codelet names the size so, else `in.size()`) and value.
  std::vector<std::pair<std::string, std::int64_t>> values;
  std::vector<std::uint64_t> lost;     ///< elements in no part
  std::vector<std::uint64_t> repeated; ///< elements in two parts, or twice in one
  std::vector<std::vector<std::uint64_t>> parts;
};

struct PartitionVerdict {
  const ir::Expr *partition = nullptr;
  std::uint64_t cases = 0; ///< tried; less those that a `require` or a condition rules out
  std::uint64_t wrong = 0;
  std::optional<PartitionCounterexample> smallest;
  std::string tried; ///< "len < 60, p < 20"
};

/// A verdict for each partition in one dimension whose parts depend on sizes and
/// tunables only. One that depends on data, on scalar parameters or on variables
/// that change is left out, as it cannot be judged.
///
/// Sizes that no condition relates are tried equal: the codelet takes them for lengths of one
/// thing. Parts of an input that reach into the next one by a constant number of elements are a
/// halo (the offsets of sparse rows, a stencil), and repeat nothing. What other partitions of the
/// codelet hold of the container is not lost.
/// `contracts`: conditions on the codelet's parameters that hold besides its own.
std::vector<PartitionVerdict> checkPartitions(const ir::Codelet &codelet,
                                              const std::vector<ir::ExprPtr> &contracts = {},
                                              const PartitionTrial &trial = {});

/// A warning for each partition that is not exact.
ir::Diagnostics partitionWarnings(const ir::Codelet &codelet,
                                  const std::vector<ir::ExprPtr> &contracts = {});

} // namespace tangram::composer
