// The sums that a nest puts into its results.
//
//   for (i) for (j) { names; s = 0; for (k) s += a[i][k] * b[k][j]; c[i][j] = f(s); }
#pragma once

#include "composer/derive/updates.h"
#include "composer/derive/windows.h"

#include <optional>
#include <vector>

namespace tangram::composer {

/// A codelet taken apart: loops that nest perfectly, whose rounds may be cut, and in the innermost of them statements,
/// one loop that only adds up, and statements that store what it has come to.
struct ResultSum {
  std::vector<ir::StmtPtr> outside; ///< names in front of all
  std::vector<ir::StmtPtr> loops;   ///< outer first
  std::vector<ir::StmtPtr> before;  ///< declarations, no loops
  ir::StmtPtr loop;
  std::vector<ir::StmtPtr> after; ///< no loops
  std::vector<Update> updates;
};

/// Nothing where the codelet is of another form. `blocked`: the loops that may be cut. Where it has none of them around
/// its sum, the codelet is the sum alone.
std::optional<ResultSum> resultSumOf(const ir::Codelet &codelet, const algebra::Nest &nest,
                                     const std::vector<BlockedLoop> &blocked);

/// The one of `blocked` that the statement is; null: it is none.
const BlockedLoop *blockedAt(const ir::Stmt &s, const algebra::Nest &nest,
                             const std::vector<BlockedLoop> &blocked);

/// Whether rounds of one of these loops share what they read with each other, and those of another one something else:
/// a product, or a layer of convolutions, of which tiles are kept near the worker through a sum.
bool isProduct(const algebra::Nest &nest, const std::vector<BlockedLoop> &loops);

/// Whether it assigns an element of a container.
bool isContainerWrite(const ir::Stmt &s);

} // namespace tangram::composer
