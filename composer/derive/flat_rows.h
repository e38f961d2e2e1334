// Blocks of a loop over the rows of containers that have been flattened by hand.
//
//   for (i = 0; i < rows; ++i) for (j = 0; j < columns; ++j) y[i * columns + j] = ...
//
// With 0 <= j < columns, round i touches elements i * columns up to (i + 1) * columns alone, and a block of rounds has
// contiguous elements. A spectrum NAME_rounds computes the rounds of such a part: as many as the part has rows.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/sums_into.h"

#include <functional>
#include <string>
#include <vector>

namespace tangram::composer {

/// The sequential codelet of the rounds, its call, `derived_split_i` and `derived_tile_i` for the outermost loop i, and
/// lanes that share what is inside; none where the loop is not of this form.
std::vector<DerivedCodelet> flatRows(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                     const algebra::Nest &nest, bool keepsOrder,
                                     const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
