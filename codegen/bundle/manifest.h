#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/c/source.h"

namespace tangram::codegen {

/// What the C compiler is told for an OpenMP library.
std::vector<std::string> openmpFlags(const ir::Program &program, const std::string &spectrum);

/// manifest.json (docs/bundle.md) for the files named in `files` (role -> name).
std::string printManifest(const BundleRequest &request, const LoweredPlan &plan,
                          const std::vector<Kernel> &kernels,
                          const std::map<std::string, std::string> &files);

} // namespace tangram::codegen
