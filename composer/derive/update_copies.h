// Privatization of containers whose elements a loop only updates (element_updates.h).
//
//   for (i) counts[x[i]] += w[i];
//
// becomes `f_part`, which starts a container of its own from the neutral element and does the loop for a part of the rounds,
// and `f_combined`, which combines these containers with what `counts` holds. `derived_copies` has as many parts as let the
// updates of a part outnumber the elements of its container.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/element_updates.h"
#include "composer/derive/sums_into.h"

#include <functional>
#include <optional>

namespace tangram::composer {

struct UpdateCopies {
  MadeSpectrum part, combined;
  DerivedCodelet codelet; ///< of the spectrum itself
};

/// Nothing where no loop of the updates can be cut.
std::optional<UpdateCopies> updateCopies(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                         const algebra::Nest &nest, const ElementUpdates &updates,
                                         const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
