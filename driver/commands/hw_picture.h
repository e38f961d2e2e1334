// A hardware model as text for people: the hierarchy drawn, then every field.
#pragma once

#include "composer/machine/machine.h"

#include <string>

namespace tangram::driver {

/// The levels from top to bottom, one a line, each below the level that distributes to it.
std::string drawHierarchy(const composer::Machine &machine);

/// Everything the model says, and how each of its targets expresses it.
std::string describeMachine(const composer::Machine &machine);

/// "48 KiB", "139.8 GiB", "100 B".
std::string bytesText(std::uint64_t bytes);

} // namespace tangram::driver
