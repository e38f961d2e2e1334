// A codelet of several nests as a compound codelet that runs one after the other.
//
//   for (t) { for (i) b[i] = f(a, i); for (i) a[i] = g(b, i); }      ->      for (t) { f_nest(a, b); f_nest_2(b, a); }
//
// Each nest becomes a spectrum, from which codelets follow in turn. A loop whose rounds have to keep their order, and
// that has such nests in it, stays a loop around them. What a nest adds up it returns.
#pragma once

#include "composer/derive/sums_into.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// The spectrums, and the body of the codelet that calls them.
struct NestsInOrder {
  std::vector<MadeSpectrum> spectrums;
  std::string body;
};

/// `keepsOrder`: floating-point numbers are added in the codelet's order.
/// Nothing where the codelet is one nest, or where statements between nests are none that a compound codelet may have.
std::optional<NestsInOrder> nestsInOrder(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                         const algebra::Nest &nest, bool keepsOrder,
                                         const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
