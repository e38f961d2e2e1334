// Bundles run at awkward shapes and tunables, with data of several kinds, by tangram-run.
#pragma once

#include "driver/commands/equivalence_cases.h"
#include "runtime/data/verification.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

/// A run that was wrong, or did not come to an end.
struct CounterExample {
  std::map<std::string, std::uint64_t> extents, tunables;
  std::uint64_t seed = 1;
  std::string message;
  std::string data = "ordinary"; ///< their kind

  /// "in_size=3 p=2"
  std::string text() const;
  /// The options of `tangram run` for it. `free`: the extents that no equation gives.
  std::vector<std::string> options(const std::vector<std::string> &free) const;
};

struct RunsOfBundle {
  std::size_t verified = 0; ///< runs, inaccurate ones included
  /// Runs of ordinary data, and those of them about which nothing can be said; with other kinds of data these are not
  /// counted.
  std::size_t ordinary = 0, notComparable = 0;
  std::optional<runtime::Verification> found; ///< of all that were verified
  std::optional<CounterExample> inaccurate,
      unjudged;            ///< the first; that about which nothing can be said
  std::size_t leftOut = 0; ///< for lack of time
  std::set<std::map<std::string, std::uint64_t>> shapes; ///< of verified runs
  std::optional<CounterExample> wrong;                   ///< the smallest one found
  /// The smallest one at which the reference itself does not come to an end.
  std::optional<CounterExample> referenceFails;
  std::vector<std::map<std::string, std::uint64_t>> tooLong; ///< shapes for RunChoice::tooLong
  std::vector<std::string> freeExtents;
  std::string refusal; ///< of some run
  std::string problem; ///< why nothing could be run: what tangram-run said
};

/// The position of a bundle among those of one codelet, which divide the settings that need a compilation among them.
struct BundleShare {
  unsigned number = 0, of = 1;
};

/// Runs a bundle on the cases of casesFor() and, after a failure, on smaller shapes. tangram-run writes to `scratch`.
RunsOfBundle runBundle(const std::filesystem::path &bundle, const RunChoice &choice,
                       BundleShare share, const std::filesystem::path &scratch);

} // namespace tangram::driver
