#include "ir/program.h"

#include <algorithm>

namespace tangram::ir {

const Spectrum *Program::spectrum(const std::string &name) const {
  auto found = std::find_if(spectrums.begin(), spectrums.end(),
                            [&](const Spectrum &s) { return s.name == name; });
  return found == spectrums.end() ? nullptr : &*found;
}

} // namespace tangram::ir
