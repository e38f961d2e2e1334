// Sketches of plans that are known to be good for derived codelets.
#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// Sketches for each spectrum of the program that goes through a sum in steps (`derived_step_k`) and has two loops along which an
/// input is the same: tiles of both loops for groups of workers, steps through the sum, and tiles of both loops for
/// single workers. In plan notation; levels are left open.
std::vector<std::string> derivedSketches(const ir::Program &program);

} // namespace tangram::composer
