// Loop distribution: several loops in one round of outer loops become nests of their own.
//
//   for (n) { s = 0; for (i) s += x[n][i]; mean = s / m; for (i) y[n][i] = x[n][i] - mean; }
//
// becomes `f_nest`, which stores the mean of each n in a container, and `f_nest_2`, which reads it (scalar expansion). Each
// nest can use the whole machine, however few rounds the outer loops have: norms of a few large images.
#pragma once

#include "composer/derive/nests_in_order.h"
#include "composer/derive/windows.h"

#include <functional>
#include <optional>
#include <vector>

namespace tangram::composer {

/// Nothing where the outer loops are not apart, or have one loop in them. `blocked`: the loops that may be cut.
std::optional<NestsInOrder> loopsApart(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                       const algebra::Nest &nest,
                                       const std::vector<BlockedLoop> &blocked,
                                       const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
