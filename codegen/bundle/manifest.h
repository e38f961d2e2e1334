#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/printing/source.h"

namespace tangram::codegen {

/// manifest.json (docs/bundle.md) for the files named in `files` (role -> name). `flags`: of the compiler that
/// tangram-run asks. `noWide`: why
/// there is no version in wider numbers; null: there is one, or nothing rounds.
std::string printManifest(const BundleRequest &request, const LoweredPlan &plan,
                          const std::vector<Kernel> &kernels,
                          const std::map<std::string, std::string> &files,
                          const std::vector<std::string> &flags, const Refusal *noWide = nullptr);

} // namespace tangram::codegen
