#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/printing/source.h"

namespace tangram::codegen {

/// What the C compiler is told for an OpenMP library.
std::vector<std::string> openmpFlags(const LoweredPlan &plan);

/// The compiler flags of a plan in wider numbers, which is run a few times and never timed: compilers take twice as
/// long to make its loops fast.
std::vector<std::string> wideFlags();

/// manifest.json (docs/bundle.md) for the files named in `files` (role -> name). `flags`: of the C compiler. `noWide`: why
/// there is no version in wider numbers; null: there is one, or nothing rounds.
std::string printManifest(const BundleRequest &request, const LoweredPlan &plan,
                          const std::vector<Kernel> &kernels,
                          const std::map<std::string, std::string> &files,
                          const std::vector<std::string> &flags, const Refusal *noWide = nullptr);

} // namespace tangram::codegen
