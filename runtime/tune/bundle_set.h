// Bundles that are named together: by a folder that holds them.
#pragma once

#include "runtime/session/result.h"

#include <string>
#include <vector>

namespace tangram::runtime {

/// The file in which `tangram synth --tune-set` lists what it has put into a folder, best first.
inline constexpr const char *bundleSetFile = "tune-set.json";

/// The bundles that `paths` name, in order: a bundle itself, one of several spectrums those of each; of a folder those that its tune-set.json
/// lists, or else all that lie in it, by name.
/// Errors (Fault::Input): "DIR: expected a bundle or a folder of bundles, found neither manifest.json
/// nor a bundle in it", "DIR/tune-set.json: ...".
Result<std::vector<std::string>> bundlesIn(const std::vector<std::string> &paths);

} // namespace tangram::runtime
