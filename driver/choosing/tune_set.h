// tangram synth --tune-set: several plans that differ, for `tangram-run tune` to choose from where they
// are to run.
#pragma once

#include "composer/plans/planner.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tangram::driver {

/// Indexes into `ranked`, which is best first: the best plan of each class, in that order, then the
/// others. Plans are of one class when they begin with the same codelet and compute with the same ones at
/// the same levels.
std::vector<std::size_t> differentFirst(const std::vector<composer::RankedPlan> &ranked);

/// What `tangram-run tune` reads (runtime/tune/bundle_set.h). `bundles`: folders in `folder`, best first.
/// Empty, or what is wrong.
std::string writeTuneSet(const std::filesystem::path &folder,
                         const std::vector<std::string> &bundles);

} // namespace tangram::driver
