// Defaults of tunables with which a bundle serves the sizes that its spectrum is usually called with.
#pragma once

#include "composer/machine/machine.h"
#include "ir/program.h"
#include "runtime/bundle/manifest.h"

#include <cstdint>
#include <map>
#include <string>

namespace tangram::driver {

/// Where the defaults of compile-time tunables are refused at every typical size, for which a caller of the library would
/// have to compile it anew: the values that tangram-run would take at the first of these that has any. Else nothing.
std::map<std::string, std::uint64_t> servingDefaults(const runtime::Manifest &manifest,
                                                     const ir::Spectrum &spectrum,
                                                     const composer::Machine &machine,
                                                     const std::string &target);

} // namespace tangram::driver
