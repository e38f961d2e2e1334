// What the levels of a machine are to a target, and what follows for the code
// (composer/machine/targets.h): passes ask for these, and no pass for a target's name.
#pragma once

#include "composer/machine/targets.h"

#include <string>

namespace tangram::codegen {

using composer::Role;
using TargetTraits = composer::Target;

/// Null for a target that is not known; those that are not `generated` can be interpreted.
const TargetTraits *traitsOf(const std::string &target);

} // namespace tangram::codegen
