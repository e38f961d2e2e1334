// Which spectrum is meant where a user names none, and what is said where the one that is named is not there.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// Names of the spectrums that no other one calls, in source order.
std::vector<std::string> rootSpectrums(const ir::Program &program);

/// Names the way out: of a template's instance that was not made the option that makes it, else the nearest name, else
/// the spectrums that no other one calls (all, where each is called).
ir::Diagnostic unknownSpectrum(const ir::Program &program, const std::string &name);

} // namespace tangram::composer
