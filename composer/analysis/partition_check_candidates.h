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
  /// What holds wherever the partition is reached: `require`s, conditions and contracts.
  std::vector<ir::ExprPtr> guards;

  /// Every expression above.
  std::vector<ir::ExprPtr> expressions() const;
};

/// In source order; leaves out what depends on data, on scalar parameters, on the
/// lane or on variables that change; and the parts of rows, cols and tiles, which are exact.
/// `contracts` hold, too: conditions on the codelet's parameters.
std::vector<PartitionCandidate> partitionCandidates(const ir::Codelet &codelet,
                                                    const std::vector<ir::ExprPtr> &contracts);

/// The equations about sizes that any codelet of the spectrum requires of its callers
/// (`require(y.size() == x.size());`), over the parameters of `codelet`, one of them.
std::vector<ir::ExprPtr> sizeContracts(const ir::Spectrum &spectrum, const ir::Codelet &codelet);

/// How the codelet calls an extent of a container: the local defined as it, or `in.size()`.
std::string nameOfSize(const ir::Codelet &codelet, const ir::ExprPtr &size);

} // namespace tangram::composer
