// Codelets that cut loops into blocks, and those that deal rounds to lanes.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/loop_form.h"

namespace tangram::composer {

/// The sequential codelet of a form that is a spectrum of its own, and the codelet of `spectrum` that calls it.
std::vector<DerivedCodelet> roundsOf(const ir::Spectrum &spectrum, const LoopForm &form);

/// `derived_split_i` and `derived_tile_i` of each loop.
std::vector<DerivedCodelet> blocksOf(const LoopForm &form);

/// `derived_lanes_i_j`: the rounds of the outer loops that nest perfectly, counted in one row and dealt to lanes.
std::vector<DerivedCodelet> lanesOf(const LoopForm &form);

} // namespace tangram::composer
