// How build systems find an emitted library: a package of CMake, and a file of pkg-config.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// NAMEConfig.cmake, which find_package(NAME) reads, CMakeLists.txt, which builds and installs the library,
/// NAME.pc, and NAMEConfigVersion.cmake.
///
/// `sources`: relative to the bundle; `plan`: what the library has of a plan, or all of its plans alike; `version`: of the
/// library, whose first number is that of its interface (SOVERSION).
BundleFiles packageFiles(const LoweredPlan &plan, const std::vector<std::string> &sources,
                         const std::string &version);

} // namespace tangram::codegen
