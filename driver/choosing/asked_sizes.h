// Sizes that the command line asks for, against what the spectrum has.
#pragma once

#include "ir/program.h"
#include "runtime/data/inputs.h"

#include <string>
#include <vector>

namespace tangram::driver {

/// Names that are no container, extent or integer of the spectrum, and shapes with another number of extents than the
/// container has: a message that says what to write instead. Empty: all is well; what contracts say of sizes is not
/// looked at.
std::string problemOfSizes(const ir::Spectrum &spectrum,
                           const std::vector<runtime::SizeChoice> &sizes);

} // namespace tangram::driver
