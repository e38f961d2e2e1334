// The second half of reading a manifest: what its fields say about each other.
#pragma once

#include "runtime/bundle/json_reader.h"
#include "runtime/bundle/manifest.h"

namespace tangram::runtime {

/// Report names used twice or unknown, tunables whose domain contradicts itself,
/// kernels that refer to what does not exist, files that are missing. `document`
/// has been read into `manifest` without a problem.
void checkManifest(const Manifest &manifest, const nlohmann::json &document,
                   JsonProblems &problems);

} // namespace tangram::runtime
