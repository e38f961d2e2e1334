// The call graph of a program's spectrums.
#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// The spectrums that codelets of `spectrum` call, directly or through others, in the program's order; without `spectrum` itself.
std::vector<const ir::Spectrum *> calledBy(const ir::Program &program, const std::string &spectrum);

} // namespace tangram::composer
