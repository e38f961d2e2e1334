// Sums that a nest puts into its results, as spectrums of their own.
//
//   for (i) for (j) { s = 0; for (k) s += a[i][k] * b[k][j]; c[i][j] = f(s); }
//
// is three nests: one that starts the results (c = 0), one that adds to them (c += a b), and one that ends them
// (c = f(c)), which is left out where it does nothing. The second one goes through its sum in steps that fit a memory,
// `derived_step_k`, in the order of the loop: every result is rounded as the loop does.
#pragma once

#include "composer/derive/windows.h"
#include "ir/program.h"

#include <functional>
#include <optional>
#include <vector>

namespace tangram::composer {

/// A spectrum that is made of one nest, with its sequential codelet.
struct MadeSpectrum {
  ir::Spectrum spectrum;
  ir::Codelet codelet;
};

/// A spectrum of a nest: its parameters are those of `from` that it names, and it requires what `from` does about these
/// alone.
MadeSpectrum spectrumOf(const std::string &name, const ir::Codelet &from, const ir::StmtPtr &nest);

/// The nests in the order in which they run. Nothing where the codelet is of another form: its sum is in the innermost
/// of the loops that may be blocked, and does not start from what its result holds.
std::optional<std::vector<MadeSpectrum>>
sumsInto(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const algebra::Nest &nest,
         const std::vector<BlockedLoop> &blocked,
         const std::function<bool(const std::string &)> &isTaken);

/// The loops of a nest that add to results: blocks of them, one after the other, give the same sums. Such a nest starts
/// from what its results hold, `s = c[i][j]; for (k) s += ...; c[i][j] = s`.
std::vector<BlockedLoop> steppedLoops(const ir::Codelet &codelet, const algebra::Nest &nest,
                                      const std::vector<BlockedLoop> &blocked);

} // namespace tangram::composer
