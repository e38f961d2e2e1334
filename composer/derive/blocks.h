// Codelets that cut loops into blocks, and those that deal rounds to lanes.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/loop_form.h"

namespace tangram::composer {

/// The sequential codelet of a form that is a spectrum of its own, and the codelet of `spectrum` that calls it.
std::vector<DerivedCodelet> roundsOf(const ir::Spectrum &spectrum, const LoopForm &form);

/// "rows(in, p, 2, 1, 1)", in its shortest form: so many blocks of `array`, or blocks of so many rounds, which hold what
/// `window` says.
std::string blocksOf(const LoopWindow &window, const std::string &array, bool byCount,
                     const std::string &number);

/// The counters of loops as digits of a number, the last loop's the lowest one, in lines; nothing of one loop.
std::string digitsOf(const std::string &number, const std::vector<std::string> &counters,
                     const std::vector<std::string> &rounds, unsigned indent);

/// "float f(const Array<1, float> x)"
std::string signatureOf(const LoopForm &form);

/// The codelet's requirements, in lines.
std::string requirementsOf(const ir::Codelet &codelet);

/// The sequential codelet of a spectrum that is its own form.
DerivedCodelet loopOf(const LoopForm &form, const ir::Codelet &codelet,
                      const algebra::NestReason &why);

/// `derived_split_i` and `derived_tile_i` of loops that add up: `combine` combines the results of the blocks.
std::vector<DerivedCodelet> partsOf(const LoopForm &form, const std::string &combine,
                                    const algebra::NestReason &why);

/// `derived_split_i` and `derived_tile_i` of each loop; `derived_step_k` of one that adds to results.
std::vector<DerivedCodelet> blocksOf(const LoopForm &form);

/// `derived_lanes_i_j`: the rounds of the outer loops that nest perfectly, counted in one row and dealt to lanes.
std::vector<DerivedCodelet> lanesOf(const LoopForm &form);

} // namespace tangram::composer
