// Do the lanes of a cooperative codelet together name every element of a container? Proved for all
// numbers of lanes, from subscripts as polynomials over the lane: what holds for 2, 4 and 8 lanes need
// not hold for 64 (`in[coopIdx() % 8]`).
#pragma once

#include "composer/analysis/locality_polynomial.h"

#include <optional>
#include <utility>
#include <vector>

namespace tangram::composer {

/// A condition on the way to an access, and whether it holds or fails there.
struct Guard {
  ir::ExprPtr condition;
  bool holds = true;
};

/// One subscript of one access.
struct LaneSubscript {
  ir::ExprPtr index;
  const Loop *loop = nullptr; ///< the innermost around it
  std::vector<Guard> guards;
};

class CoverageProof {
public:
  /// `size`: elements there are. `facts`: conditions that hold; of them, equations of sizes help.
  CoverageProof(const Variables &variables, const ir::ExprPtr &size,
                const std::vector<ir::ExprPtr> &facts);

  /// Adds a subscript, once for each iteration of the loops around it that it counts. False when it
  /// depends on data or on loops whose number of iterations is no constant: it may name anything.
  bool add(const LaneSubscript &subscript);

  /// Whether some subscript has different values in different lanes.
  bool differsByLane() const;

  /// The largest n found such that all elements are named whenever there are at most n a lane; 0 when
  /// none is. Conditions on the way to an access count against it unless they hold for each
  /// element that there is.
  std::int64_t perLane();

  /// Whether both are the same number, as far as the facts tell.
  bool isEqual(const ir::ExprPtr &a, const ir::ExprPtr &b);

private:
  struct Named {
    algebra::Polynomial index;
    bool always = false; ///< where it is an element's number, the access is made
  };
  /// Iteration counts, and the values they have.
  using Counts = std::vector<std::pair<algebra::Atom, std::int64_t>>;

  std::optional<std::int64_t> iterations(const Loop &loop) const;
  bool expand(const LaneSubscript &subscript, Counts at);
  std::optional<algebra::Atom> countedLoop(const algebra::Polynomial &index) const;
  bool isFixed(const algebra::Polynomial &index) const;
  bool holdsFor(const algebra::Polynomial &index, const ir::ExprPtr &condition, bool holds,
                const Loop *loop, const Counts &at);
  bool isNonNegative(const algebra::Polynomial &value, const algebra::Polynomial &index) const;
  std::int64_t blocks(const std::vector<algebra::Polynomial> &indexes, std::int64_t from) const;

  const Variables &variables_;
  PolynomialBuilder builder_;
  algebra::Polynomial lane_, lanes_, size_;
  std::vector<algebra::Polynomial> equalities_; ///< each of them is 0
  std::vector<Named> named_;
};

} // namespace tangram::composer
