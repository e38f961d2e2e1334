// Codelets of a loop that only adds up: sums in parts, and parts that are combined.
#pragma once

#include "algebra/nests.h"
#include "composer/derive/derive.h"

#include <functional>

namespace tangram::composer {

/// The codelets of a spectrum that returns what its outermost loop adds up:
///
///   float f(x) { float s = 1; for (i) s += g(x[i]); return sqrt(s); }
///
/// a spectrum of the sum alone, `f_total`, with blocks of its loops as codelets (`derived_split_i`, `derived_tile_i`),
/// whose results `f_combined` combines, and lanes that share the rounds; and the codelet of `f` that calls it,
/// `derived_total`. Where `f` is nothing but the sum, it is its own total. What is no sum says why.
struct SumCodelets {
  std::vector<DerivedCodelet> codelets;
  std::vector<algebra::NestReason> reasons;
};
SumCodelets sumsOf(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                   const algebra::Nest &nest,
                   const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
