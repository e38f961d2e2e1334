// What it takes to prepare an execution, as bytes: for a worker that was there before it.
#pragma once

#include "runtime/session/backend.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace tangram::runtime {

/// A problem of a bundle with everything decided.
struct PreparedProblem {
  std::filesystem::path bundle; ///< manifest.json
  Problem problem;              ///< with no signature, which is the manifest's
  TunableValues tunables;
  Bindings bindings;
};

/// `manifest`: the file.
std::vector<std::byte> messageOf(const std::string &manifest, const Problem &problem,
                                 const TunableValues &tunables, const Bindings &bindings);

/// The same process on the other side of a fork wrote the message: it is trusted.
PreparedProblem problemOf(const std::vector<std::byte> &message);

} // namespace tangram::runtime
