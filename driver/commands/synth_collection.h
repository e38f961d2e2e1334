// tangram synth --spectrum a,b,c: one library of several spectrums.
#pragma once

#include "driver/commands/synth_command.h"

namespace tangram::driver {

/// Of NAME=SPECTRUM or SPECTRUM.
struct NamedSpectrum {
  std::string spectrum;
  std::string name; ///< empty: as the spectrum is called
};

/// The items of a list, in which commas between brackets do not count.
std::vector<NamedSpectrum> spectrumsIn(const std::string &list);

/// `members`: the options of each, with its predictor; `all`: what goes for the whole library, `name` among it, whose
/// default is that of the source's file. Exit status.
int synthCollection(const SynthOptions &all, std::vector<SynthOptions> members,
                    const ir::Program &program, const composer::Machine &machine, std::ostream &out,
                    std::ostream &err);

} // namespace tangram::driver
