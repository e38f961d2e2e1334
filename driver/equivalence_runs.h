// Bundles run at awkward shapes and tunables, by tangram-run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

struct RunChoice {
  std::vector<std::string> sizes; ///< values of --size; empty: awkward ones
  std::uint64_t seed = 1;         ///< and the next one
  double timeLimit = 10;          ///< seconds of one call
};

/// A run that was wrong, or did not come to an end.
struct CounterExample {
  std::map<std::string, std::uint64_t> extents, tunables;
  std::uint64_t seed = 1;
  std::string message;

  /// "in_size=3 p=2"
  std::string text() const;
  /// The options of `tangram run` for it. `free`: the extents that no equation gives.
  std::vector<std::string> options(const std::vector<std::string> &free) const;
};

struct RunsOfBundle {
  std::size_t verified = 0;                              ///< runs
  std::set<std::map<std::string, std::uint64_t>> shapes; ///< of verified runs
  std::optional<CounterExample> wrong;                   ///< the smallest one found
  /// The smallest one at which the reference itself does not come to an end.
  std::optional<CounterExample> referenceFails;
  std::vector<std::string> freeExtents;
  std::string refusal; ///< of some run
  std::string problem; ///< why nothing could be run: what tangram-run said
};

/// All shapes with two seeds: once with the default tunables, once with several others of their
/// domains. After a failure, smaller shapes too. `scratch` takes tangram-run's output.
RunsOfBundle runBundle(const std::filesystem::path &bundle, const RunChoice &choice,
                       const std::filesystem::path &scratch);

} // namespace tangram::driver
