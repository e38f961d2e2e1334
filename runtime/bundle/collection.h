// Bundles of several spectrums: a manifest that names the bundle of each (docs/bundle.md, "Several spectrums").
#pragma once

#include "runtime/bundle/library.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tangram::runtime {

/// What such a manifest has as its version.
inline constexpr std::uint64_t collectionVersion = 3;

/// The folders of its bundles, in order; of any other path, the path alone, whatever it is.
/// Errors (Fault::Input): "DIR/manifest.json: /spectrums/0/folder: expected ..., found ...".
Result<std::vector<std::string>> bundlesOfAll(const std::filesystem::path &bundle);

} // namespace tangram::runtime
