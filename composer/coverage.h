// What a codelet needs to be correct: the conditions it states by `require`, and
// those that follow from how it reads. A cooperative codelet that names the
// elements of a container by its lane alone (dissertation figure 4.3(b) reads
// in[coopIdx()]) covers only so many of them: with more elements than lanes it
// would silently drop data.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tangram::composer {

/// A dimension of a container parameter of a cooperative codelet in which every
/// access outside `require` has an index computed from the lane, the number of lanes,
/// sizes and parameters, and not from loops or data.
struct LaneBound {
  ir::VarPtr container;
  /// The dimension; `together` where the lanes share the elements of all of them
  /// (`c[id / m][id % m]`).
  int dimension = 0;
  static constexpr int together = -1;
  /// The codelet is right as long as there are at most this many indexes a lane.
  std::int64_t perLane = 1;
  bool reads = false;
  bool writes = false;
  ir::SourceLocation location; ///< of the first access
};

/// In order of first access; empty for a codelet that is not cooperative.
std::vector<LaneBound> laneBounds(const ir::Codelet &codelet);

struct Requirement {
  /// Over container sizes, coopDim(), tunables and scalar parameters where the
  /// codelet's locals can be replaced by their definitions.
  ir::ExprPtr condition;
  /// Of the `require`, or of the access the condition follows from.
  ir::SourceLocation location;
  bool inferred = false;
  /// "stated", or why it was inferred: "kog reads at most one element of 'in' a lane".
  std::string reason;
};

/// The conditions the codelet needs and does not state: `in.size() <= coopDim()` for
/// a lane bound that no `require` implies.
std::vector<Requirement> inferRequires(const ir::Codelet &codelet);

/// Stated conditions in source order, then inferred ones.
std::vector<Requirement> requirements(const ir::Codelet &codelet);

/// A warning for a cooperative codelet that has lane bounds and states none.
ir::Diagnostics coverageWarnings(const ir::Codelet &codelet);

} // namespace tangram::composer
