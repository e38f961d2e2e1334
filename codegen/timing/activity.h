// Who does what is walked: of the items and groups that samples stand for, how many and how much of it.
#pragma once

#include "codegen/timing/samples.h"

#include <array>

namespace tangram::codegen {

/// How many of those that the samples stand for do what is walked, and that over a share of their time.
struct Activity {
  /// The first item, those between, the one in the middle (which counts as two), others between and the last.
  static constexpr std::size_t itemsTried = Samples::betweenTried + 4;
  std::array<double, itemsTried> items{1, 1, 1, 1, 1, 1, 1, 1};
  std::array<double, Samples::groupsTried> groups{1, 1, 1, 1, 1, 1};

  /// Of the groups that the samples stand for: of those the first alone, the share that it is.
  double part = 1;

  double shareOfGroups() const;
  double share() const;
};

/// The most of a number, and who does what is done so often.
struct Spread {
  double most = 0;
  Activity active;
  bool firstGroupAlone = false; ///< as at an edge: no other group that was tried
};

/// Of `s`, the number of times, among those who are `active`: what another one's numbers are means
/// nothing. `hasItems`, `hasGroups`: whether there are several around.
Spread spreadOf(const Samples &s, const Activity &active, bool hasItems, bool hasGroups);

/// The mean of `s` among those who are `active` and of whom it is not 0.
double meanOf(const Samples &s, const Activity &active, bool hasItems, bool hasGroups);

} // namespace tangram::codegen
