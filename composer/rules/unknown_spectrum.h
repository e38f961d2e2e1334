// What is said where somebody names a spectrum that a program does not have.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

#include <string>

namespace tangram::composer {

/// Names the way out: of a template's instance that was not made the option that makes it, else the nearest name, else
/// the spectrums that no other one calls (all, where each is called).
ir::Diagnostic unknownSpectrum(const ir::Program &program, const std::string &name);

} // namespace tangram::composer
