// What a store of measurements says of plans with their defaults, size by size: what versions of a library
// are chosen by where it is known, in place of predictions. A run of each plan a size is all that it takes,
// whatever the number of thresholds (the tuner of multi-versioned Futhark programs goes by the same figures).
#pragma once

#include "runtime/tune/store.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tangram::driver {

struct MeasuredTimes {
  std::string device;
  std::vector<std::map<std::string, std::uint64_t>> sizes; ///< extents
  /// Seconds by plan, a number for each of the sizes; `unserved` where it was refused, wrong or worse.
  std::map<std::string, std::vector<double>> seconds;
};

struct WantedTimes {
  std::string spectrum, target;
  std::string device; ///< as the store calls it; empty: any, if there is one only
};

/// Only what can be compared with the last measurement counts: of the same codelets, model, inputs, driver and
/// caches; and of these only sizes that all plans have been run at. Errors: of the file; "FILE: nothing was
/// measured of sum and openmp"; "FILE: measurements are of several devices (A, B): name one by --store-device";
/// "FILE: there is no size at which all 3 plans of sum were measured: tune them together".
runtime::Result<MeasuredTimes> readMeasuredTimes(const std::string &file,
                                                 const WantedTimes &wanted);

} // namespace tangram::driver
