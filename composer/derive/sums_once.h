// Loop-invariant code motion of a sum, through a container.
//
//   for (o) for (i) for (c) { own = 0; for (p) own += x[c][i + p] * w[c][p]; sum += own * v[o][c]; }
//
// makes `own` of c and i anew for each o. It becomes `f_once`, which stores it in a container, and `f_rest`, which reads it:
// two nests, each of which is a product or a layer of convolutions of its own.
#pragma once

#include "composer/derive/nests_in_order.h"

#include <functional>
#include <optional>

namespace tangram::composer {

/// The two nests, and the codelet that calls them. Nothing where every sum depends on all loops around it, or is made under a
/// condition, or of what the codelet writes.
std::optional<NestsInOrder> sumsOnce(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                     const algebra::Nest &nest,
                                     const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
