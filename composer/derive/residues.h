// Residues of a loop whose conditions are congruences (strip-mining by the modulus, and index-set splitting).
//
//   for (i) { s = 0; for (p) if ((i + 1 - p) % 2 == 0 && (i + 1 - p) / 2 < n) s += x[(i + 1 - p) / 2] * w[p]; y[i] = s; }
//
// The rounds i = 2 * i' + r with one remainder r need the rounds p = first + 2 * p' alone, and (i + 1 - p) / 2 is
// i' - p' + at. So `f_residue` is a nest without congruences, which is given every second element of y:
//
//   for (r = 0; r < 2; ++r)
//     f_residue(r, first, at, x, w, slice(y, r, y.size(0), 0, 2));
//
// A convolution that is transposed and strided becomes as many dense ones as its strides have residues. The terms of each
// sum are added in the order of the loop.
#pragma once

#include "composer/derive/nests_in_order.h"

#include <functional>
#include <optional>
#include <vector>

namespace tangram::composer {

/// The nest for one residue of each such loop, and the loops over residues that call it. Nothing where no condition is
/// a congruence, or it cannot be split, which `reasons` tells then.
std::optional<NestsInOrder> residues(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                     const algebra::Nest &nest,
                                     const std::function<bool(const std::string &)> &isTaken,
                                     std::vector<algebra::NestReason> &reasons);

} // namespace tangram::composer
