// A scan in parts, for a row that is as long as the machine is wide.
//
//   for (j) { s += x[j]; y[j] = s; }
//
// becomes `f_total`, what a part adds up; `f_starts`, which makes of what all parts add up what each of them starts from, in
// place; and `f_from`, the loop from such a start. `derived_scan_j` calls one after the other.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/scan.h"
#include "composer/derive/sums_into.h"

#include <functional>
#include <optional>

namespace tangram::composer {

struct ScanParts {
  MadeSpectrum total, starts, from;
  DerivedCodelet codelet; ///< of the spectrum itself
};

/// Nothing where the codelet is more than one scan over all elements of its containers, with one variable.
std::optional<ScanParts> scanParts(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                   const algebra::Nest &nest, const Scan &scan,
                                   const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
