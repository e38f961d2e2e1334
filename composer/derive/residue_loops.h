// Loops over the residues of loops that are cut: each calls a spectrum for the rounds of one
// residue.
#pragma once

#include "composer/derive/congruences.h"
#include "composer/derive/nests_in_order.h"

#include <string>
#include <utility>
#include <vector>

namespace tangram::composer {

/// A congruence, with the parameters of the spectrum that say what one residue is.
struct Residue {
  Congruence of;
  ir::VarPtr residue;       ///< of the loop that is cut
  ir::VarPtr first;         ///< the first round of the loop inside that counts
  ir::VarPtr at;            ///< the value over the divisor in round 0 of both
  algebra::Polynomial step; ///< of the loop inside
  std::int64_t dAt = 0;     ///< what a round of the loop inside adds to the value over the divisor
};

/// Parameters that are sizes of containers, and the sizes.
using SizeParameters = std::vector<std::pair<ir::VarPtr, ir::ExprPtr>>;

/// A difference of numbers that are not negative, as one that may be.
ir::ExprPtr signedOf(const algebra::Nest &nest, const algebra::Polynomial &p);

/// The loops, as source, around a call of `made`, which has the parameters of `residues` and
/// `sizes` besides those of the codelet.
std::string loopsOverResidues(const algebra::Nest &nest, const std::vector<Residue> &residues,
                              const SizeParameters &sizes, const MadeSpectrum &made);

} // namespace tangram::composer
