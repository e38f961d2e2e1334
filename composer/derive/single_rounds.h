// A dimension that an author flattened by hand, `y[n * filters + o]`: rounds of the loop over its outer part, one by one.
//
// Each round of such a loop writes a window of its own, `filters` elements from n * filters on, where `filters` may be any
// number that is known when the codelet runs. A map over these windows, one round each, leaves a nest without that loop,
// whose other loops write dimensions of their own: o, where it was n * filters + o.
#pragma once

#include "algebra/nests.h"

#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// What one round needs of a container: halo + 1 elements from step * n + lowest on, along one dimension.
struct RoundWindow {
  ir::VarPtr array;
  unsigned dimension = 0;
  algebra::Polynomial step, halo, lowest; ///< over sizes and parameters
};

struct SingleRounds {
  int loop = 0;
  std::string name; ///< of its counter
  std::vector<RoundWindow> windows;

  const RoundWindow *windowOf(const ir::Var *array) const;
};

/// The first loop of a nest, which begins at 0, that is one over a flattened dimension: what its rounds write are windows
/// that do not overlap, at least one of which moves by more than an element a round. Loops around it are done in each round.
std::optional<SingleRounds> singleRounds(const algebra::Nest &nest);

} // namespace tangram::composer
