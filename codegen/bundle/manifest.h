#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/c/source.h"

namespace tangram::codegen {

/// What the C compiler is told for an OpenMP library.
std::vector<std::string> openmpFlags(const LoweredPlan &plan);

/// manifest.json (docs/bundle.md) for the files named in `files` (role -> name). `noWide`: why there is no version
/// in wider numbers; null: there is one, or nothing rounds.
std::string printManifest(const BundleRequest &request, const LoweredPlan &plan,
                          const std::vector<Kernel> &kernels,
                          const std::map<std::string, std::string> &files,
                          const Refusal *noWide = nullptr);

} // namespace tangram::codegen
