// A bundle of several plans for one spectrum: each is a bundle in a folder of its own, and above them
// stands a function that calls the one that the sizes ask for (docs/bundle.md, "Several plans").
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/printing/dispatch.h"

#include <vector>

namespace tangram::codegen {

/// A version is what makeBundle gives for this plan and functionOfVersion().
struct LibraryVersion {
  std::string planId; ///< and its folder
  std::vector<std::string> steps;
  BundleFiles files;
};

/// Name of the library's function and files.
std::string functionOf(const BundleRequest &request);
/// Name of the function and files of one version of a library: "sum_17ebc08c".
std::string functionOfVersion(const BundleRequest &library, const std::string &planId);

struct LibraryRequest {
  /// The plan of one version, with all that is not of this plan alone.
  BundleRequest common;
  std::vector<LibraryVersion> versions; ///< two or more
  std::vector<VersionRule> rules;       ///< the last one without a condition, and no other
  std::optional<OnlineExtents> online;  ///< measurements on the first calls decide
};

/// All files; those of a version lie in the folder of its plan's id.
std::variant<BundleFiles, Refusal> makeLibrary(const LibraryRequest &request);

} // namespace tangram::codegen
