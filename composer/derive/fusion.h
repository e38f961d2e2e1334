// Fusion: a codelet whose loops are one where they can be, as a spectrum of its own.
//
// Loops are fused (composer/derive/fused_loops.h), and what one of them hands to the next in a round is a variable
// (composer/derive/contracted_elements.h). The spectrum `NAME_fused` is a loop like those that authors write: its blocks,
// sums and lanes follow from it as from any other.
#pragma once

#include "composer/derive/local_containers.h"
#include "composer/derive/nests_in_order.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

struct Fusion {
  std::optional<NestsInOrder>
      nests;                ///< `NAME_fused` and its call; nothing where no loops are fused
  std::string declarations; ///< of local containers that are still needed
  algebra::NestReason why;
  std::vector<algebra::NestReason> apart; ///< loops that are not fused
};

/// `locals`: the parameters of the codelet that are local containers of the spectrum's. Those that are not needed any more are
/// no parameters of the fused one.
Fusion fused(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
             const std::vector<LocalContainer> &locals,
             const std::function<bool(const std::string &)> &isTaken);

} // namespace tangram::composer
