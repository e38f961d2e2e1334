// Which of many plans are worth to be versions of a library, by the times of each at some sizes, predicted or measured.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace tangram::driver {

/// Of a plan at a size: it cannot serve it.
inline constexpr double unserved = std::numeric_limits<double>::infinity();

/// Seconds by plan and size.
using PlanTimes = std::vector<std::vector<double>>;

/// What a time that is `seconds` loses to the best known, as a share of it: 0 is the best. A size
/// that is not served loses much more than any that is.
double regret(double seconds, double best);

/// At most so many plans with a small sum of regrets, where the best of those chosen is taken at each size:
/// first the plan that is best alone, then what lowers the sum most. Fewer where a further one would not lower
/// the mean by `leastGain`. Sizes that no plan serves do not count.
std::vector<std::size_t> chooseVersions(const PlanTimes &times, std::size_t most,
                                        double leastGain = 0.01);

} // namespace tangram::driver
