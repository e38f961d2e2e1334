// Elements that the rounds of a loop only update, at places that depend on data: histograms, votes, degrees of nodes.
//
//   for (i) counts[x[i]] += w[i];      ->      for (i) atomicAdd(counts[x[i]], w[i]);
//
// Rounds that do nothing else to the elements of a container than one associative update (updates.h) may be done in any
// order, at the same time where the update is an atomic operation.
#pragma once

#include "composer/derive/updates.h"

#include <set>
#include <vector>

namespace tangram::composer {

struct ElementUpdates {
  struct Container {
    ir::VarPtr array;
    Update update; ///< of a variable that stands for any element
  };
  std::vector<Container> containers;
  /// The codelet's body with atomic operations. Updates that the language has none for, such as products, stand there as
  /// additions, so that nests can be made of it.
  ir::StmtPtr body;
  bool isAtomic = true; ///< the language has an atomic operation for each update
  std::set<int>
      loops; ///< those whose rounds may be shared for it, as the codelet's nest numbers them
  algebra::NestReason why; ///< the property that allows it
};

/// Nothing where blocks of the loops need no atomic operations, or elements are also read or stored. With `keepsOrder`
/// sums of floating-point numbers are none.
std::optional<ElementUpdates> elementUpdates(const ir::Codelet &codelet, const algebra::Nest &nest,
                                             bool keepsOrder);

} // namespace tangram::composer
