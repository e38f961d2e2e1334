// Rules that say by sizes which version of a library comes first: the leaves of a small decision tree over
// thresholds on extents.
#pragma once

#include "codegen/printing/dispatch.h"
#include "runtime/bundle/manifest.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tangram::driver {

/// A number that a threshold may be for.
struct SizeFeature {
  std::string text;                  ///< "in_size", "a_size0 * a_size1": as a manifest spells it
  std::vector<std::uint64_t> values; ///< by point
};

struct RuleOptions {
  std::size_t mostRules = 4;
  /// What one more rule has to gain, as a share of the mean time.
  double leastGain = 0.01;
};

/// The features of points: free extents that are not the same everywhere, and the number of elements of
/// containers that have two of them.
std::vector<SizeFeature> featuresOf(const std::vector<std::map<std::string, std::uint64_t>> &points,
                                    const runtime::Signature &signature);

/// `costs` has by version and point what taking it first costs: the tree with the least sum, of as many
/// leaves as are worth it. The first rule that holds counts; the last one has no condition. A threshold
/// between two points is the power of 2 in the middle, where there is one.
std::vector<codegen::VersionRule> rulesFor(const std::vector<SizeFeature> &features,
                                           const std::vector<std::vector<double>> &costs,
                                           const RuleOptions &options = {});

/// The version that the rules say for point number `point`; as an emitted host finds it.
std::size_t versionAt(const std::vector<codegen::VersionRule> &rules,
                      const std::vector<SizeFeature> &features, std::size_t point);

} // namespace tangram::driver
