// The partitions of a codelet that can be judged without data, written over
// nothing but container sizes and tunables.
#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// start + i * step.
struct AffineSequence {
  ir::ExprPtr start;
  ir::ExprPtr step;
};

struct PartitionCandidate {
  const ir::Expr *partition = nullptr;
  ir::ExprPtr size;  ///< elements of the container
  ir::ExprPtr count; ///< number of parts
  AffineSequence start, increment, end;
  /// What holds wherever the partition is reached: `require`s and conditions.
  std::vector<ir::ExprPtr> guards;

  /// Every expression above.
  std::vector<ir::ExprPtr> expressions() const;
};

/// In source order; leaves out what depends on data, on scalar parameters, on the
/// lane or on variables that change.
std::vector<PartitionCandidate> partitionCandidates(const ir::Codelet &codelet);

/// How the codelet calls an extent of a container: the local defined as it, or `in.size()`.
std::string nameOfSize(const ir::Codelet &codelet, const ir::ExprPtr &size);

} // namespace tangram::composer
