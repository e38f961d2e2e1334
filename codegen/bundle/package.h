// How build systems find an emitted library: a package of CMake, and a file of pkg-config.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/printing/backend.h"

#include <string>
#include <vector>

namespace tangram::codegen {

struct PackageRequest {
  std::string name; ///< of the library
  PackageParts parts;
  std::string model;                ///< that it was composed for
  std::vector<std::string> sources; ///< relative to the bundle
  std::string version;              ///< the first number is that of its interface (SOVERSION)
};

/// NAMEConfig.cmake, which find_package(NAME) reads, CMakeLists.txt, which builds and installs the library,
/// NAME.pc, and NAMEConfigVersion.cmake.
BundleFiles packageFiles(const PackageRequest &request);

/// The same for the library of a plan. Any plan of a library with several serves: they share what the files say.
BundleFiles packageFiles(const LoweredPlan &plan, const std::vector<std::string> &sources,
                         const std::string &version);

} // namespace tangram::codegen
