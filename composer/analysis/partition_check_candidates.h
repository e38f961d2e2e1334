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

/// What a map takes an argument apart into; of a scalar nothing.
struct MapArgument {
  struct Cut {
    unsigned dimension;
    ir::ExprPtr count;
    AffineSequence start, increment, end;
    bool isStrided = false; ///< parts of windows that move by more than one element
  };
  bool isShared = false;            ///< all(c)
  std::vector<ir::ExprPtr> extents; ///< of the container
  std::vector<Cut> cuts;            ///< of a partition

  /// Every expression above.
  std::vector<ir::ExprPtr> expressions() const;
};

struct MapCandidate {
  const ir::Expr *map = nullptr;
  std::vector<MapArgument> args;
  ir::ExprPtr results;             ///< elements of what it is assigned to; null: of nothing
  std::vector<ir::ExprPtr> guards; ///< as of a PartitionCandidate, those that can be computed

  /// Every expression above.
  std::vector<ir::ExprPtr> expressions() const;
};

/// The maps of a codelet whose elements' sizes depend on sizes and tunables alone.
std::vector<MapCandidate> mapCandidates(const ir::Codelet &codelet,
                                        const std::vector<ir::ExprPtr> &contracts);

/// The equations about sizes that any codelet of the spectrum requires of its callers
/// (`require(y.size() == x.size());`), over the parameters of `codelet`, one of them.
std::vector<ir::ExprPtr> sizeContracts(const ir::Spectrum &spectrum, const ir::Codelet &codelet);

/// How the codelet calls an extent of a container: the local defined as it, or `in.size()`.
std::string nameOfSize(const ir::Codelet &codelet, const ir::ExprPtr &size);

} // namespace tangram::composer
