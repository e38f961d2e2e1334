// The second half of reading a manifest: what its fields say about each other.
#pragma once

#include "runtime/bundle/manifest.h"
#include "json/reader.h"

namespace tangram::runtime {

/// What is wrong with one manifest, each as "file: /json/pointer: expected ..., found ...".
struct ManifestProblems : json::Report {
  explicit ManifestProblems(std::string file) : file(std::move(file)) {}

  void problem(const std::string &pointer, const std::string &message) override;
  std::string describe(const json::Json &value) const override;

  std::string file;
  std::vector<std::string> messages;
};

/// Reports a path that leads out of the bundle's folder, or is none.
void checkContents(const json::Value &value);

/// Reports what is no name of a file in a folder. Returns the name; empty: it is none.
std::string checkFileName(const json::Value &value);

/// All of them as one error.
Error joined(const ManifestProblems &problems);

/// Report names used twice or unknown, tunables whose domain contradicts itself,
/// kernels that refer to what does not exist, files that are missing. `document`
/// has been read into `manifest` without a problem.
void checkManifest(const Manifest &manifest, const nlohmann::json &document,
                   ManifestProblems &problems);

} // namespace tangram::runtime
