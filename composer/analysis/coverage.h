// What a codelet needs to be correct: the conditions it states by `require`, and
// those that follow from how it reads. A cooperative codelet that names the
// elements of a container by its lane alone (dissertation figure 4.3(b) reads
// in[coopIdx()]) covers only so many of them: with more elements than lanes it
// would silently drop data.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// A dimension of a container parameter of a cooperative codelet in which every
/// access outside `require` has an index computed from the lane, the number of lanes,
/// sizes, parameters and the counters of loops with a constant number of iterations, and
/// not from other loops or data.
struct LaneBound {
  ir::VarPtr container;
  /// The dimension; `together` where the lanes share the elements of all of them
  /// (`c[id / m][id % m]`).
  int dimension = 0;
  static constexpr int together = -1;
  /// The codelet names every index as long as there are at most this many a lane: proved for every
  /// number of lanes. 0: no such number has been proved.
  std::int64_t perLane = 0;
  bool reads = false;
  bool writes = false;
  ir::SourceLocation location; ///< of the first access

  bool isProved() const { return perLane > 0; }
};

/// In order of first access; empty for a codelet that is not cooperative. `contracts`: conditions on
/// the codelet's parameters that hold besides its own.
std::vector<LaneBound> laneBounds(const ir::Codelet &codelet,
                                  const std::vector<ir::ExprPtr> &contracts = {});

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
/// a proved lane bound that no `require` implies.
std::vector<Requirement> inferRequires(const ir::Codelet &codelet,
                                       const std::vector<ir::ExprPtr> &contracts = {});

/// The first lane bound that is not proved and about which the author says nothing: a codelet that
/// has one may drop data (`in[coopIdx() % 8]`), for sizes that nobody knows. A `require` that bounds
/// the size is the author's word that it does not.
std::optional<LaneBound> unprovedCoverage(const ir::Codelet &codelet,
                                          const std::vector<ir::ExprPtr> &contracts = {});

/// What to say of it.
std::string whyUnproved(const ir::Codelet &codelet, const LaneBound &bound);

/// Stated conditions in source order, then inferred ones.
std::vector<Requirement> requirements(const ir::Codelet &codelet,
                                      const std::vector<ir::ExprPtr> &contracts = {});

/// A warning for a cooperative codelet that has lane bounds and states none, or has one that is not
/// proved.
ir::Diagnostics coverageWarnings(const ir::Codelet &codelet,
                                 const std::vector<ir::ExprPtr> &contracts = {});

} // namespace tangram::composer
