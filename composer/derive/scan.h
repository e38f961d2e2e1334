// Scans: loops whose rounds update variables and use what these have come to so far.
//
//   for (j) { s += x[j]; y[j] = s; }            inclusive; exclusive where y[j] = s stands first
//
// What a round adds does not depend on the rounds before it, and what it writes no other round touches. So the rounds may be
// cut into parts, each of which starts from what the parts before it add.
#pragma once

#include "composer/derive/updates.h"

#include <optional>
#include <vector>

namespace tangram::composer {

struct Scan {
  std::vector<Update> updates; ///< none has places
  ir::StmtPtr adds;            ///< the body of the loop without what it writes: its updates alone
};

/// The loop as a scan; nothing where it is none. `codelet` is what `nest` was made of.
std::optional<Scan> scanOf(const ir::Codelet &codelet, const algebra::Nest &nest, int loop);

} // namespace tangram::composer
