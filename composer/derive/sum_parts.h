// Sums of results in parts: where there are fewer results than the machine has workers, the rounds of a sum are cut.
//
//   for (i) { s = 0; for (k) s += a[i][k]; y[i] = g(s); }
//
// becomes `f_part`, which has the same loops over a part of the rounds and stores what s comes to; and `f_combined`,
// which goes over the parts of each result in order, and stores g of them. `derived_parts_k` has parts in a container of
// one more dimension. The number of parts follows from the sizes: there is one where there are enough results.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/sums_into.h"
#include "composer/derive/windows.h"

#include <functional>
#include <optional>
#include <vector>

namespace tangram::composer {

struct SumParts {
  std::vector<MadeSpectrum>
      parts; ///< what the parts are made by, where that is not the spectrum itself
  MadeSpectrum combined;
  std::vector<DerivedCodelet> codelets; ///< of the spectrum itself
};

/// Nothing where the codelet is no sum of results (composer/derive/result_sum.h), or no loop of it can be cut. Also sums of
/// several variables that a spectrum returns something of.
std::optional<SumParts> sumParts(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                 const algebra::Nest &nest, const std::vector<BlockedLoop> &blocked,
                                 const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
