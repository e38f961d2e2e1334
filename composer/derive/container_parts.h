// The parts of a container that a nest reads and writes, each as a container of its own.
//
//   for (i = k + 1; i < n; ++i) for (j = k + 1; j < n; ++j) a[i][j] -= a[i][k] * a[k][j];
//
// writes the rows and columns of a behind k, and reads column k below them and row k beside them. Codelets that get these
// three as parameters have no container that they both read and write elsewhere, and follow as from any other nest.
// The part of an access is the box of places that it may name in the nest; boxes that cannot be told apart, and of which
// one is written, are one part.
#pragma once

#include "algebra/nests.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tangram::composer {

struct ContainerPart {
  /// Places first <= p < end.
  struct Range {
    algebra::Polynomial first, end;
    bool operator==(const Range &) const = default;
  };
  ir::VarPtr array; ///< the container
  ir::VarPtr param; ///< the part
  std::vector<Range> ranges;
  /// For each dimension, whether the part has end - first elements, or none where that is below 0: it does not end
  /// behind the container.
  std::vector<bool> isSized;
  /// For each dimension, whether the part has all of it.
  std::vector<bool> isWhole;
  bool isWritten = false;
  std::set<const ir::Expr *> accesses; ///< Index

  algebra::Polynomial length(unsigned d) const { return ranges[d].end - ranges[d].first; }
};

/// The smallest value of `p` in the rounds of the loops from `inner` on that are inside of `around`; nothing where it is
/// not known.
std::optional<algebra::Polynomial> leastIn(const algebra::Nest &nest, const algebra::Polynomial &p,
                                           int inner, int around);

/// The parts of `array` that `statement` names, where these are several and one is written; otherwise none. `around` is
/// the loop around the statement, -1: none. `isTaken` knows the names of other variables.
std::vector<ContainerPart> containerParts(const algebra::Nest &nest, const ir::StmtPtr &statement,
                                          int around, const ir::VarPtr &array,
                                          const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
