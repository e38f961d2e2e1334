// What a store of measurements says of the plans of a spectrum: which one is fastest, and with which
// values of its tunables.
#pragma once

#include "runtime/data/inputs.h"
#include "runtime/tune/store.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

/// An error where what a store says (`what`: "choices") is of several devices: "FILE: choices are of several
/// devices (A, B): name one by --store-device".
runtime::Status areOfOneDevice(const std::string &file, const std::string &what,
                               const std::set<std::string> &devices);

class TunedDefaults {
public:
  struct Wanted {
    std::string spectrum, target;
    std::string device; ///< as the store calls it; empty: any, if there is one only
    std::vector<runtime::SizeChoice> sizes; ///< the first counts; empty: the newest choice
  };

  /// What was chosen for it. Errors: of the file; "FILE: nothing was chosen for sum and openmp",
  /// "FILE: choices are of several devices (A, B): name one by --store-device".
  static runtime::Result<TunedDefaults> read(const std::string &file, const Wanted &wanted);

  /// The id of the plan that was fastest at the nearest sizes.
  const std::string &bestPlan() const { return best; }
  /// The values for a plan, at the nearest sizes; nothing where it was not tuned.
  std::optional<runtime::TunableValues> of(const std::string &plan) const;

private:
  std::vector<runtime::Choice> choices; ///< nearest first, then fastest
  std::string best;
};

} // namespace tangram::driver
