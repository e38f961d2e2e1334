// The call graph of a program's spectrums.
#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// The spectrums that codelets of `spectrum` call, and those that these call, in the program's order; not `spectrum` itself.
std::vector<const ir::Spectrum *> calledBy(const ir::Program &program, const std::string &spectrum);

} // namespace tangram::composer
