// How long a bundle takes.
#pragma once

#include "runtime/session/backend.h"

namespace tangram::runtime {

struct TimingOptions {
  std::size_t warmup = 2;
  std::size_t repeat = 20; ///< at least 1
  Caches caches = Caches::Warm;
  /// When the first run and one more take more seconds, that says enough: the second one is all that
  /// counts. 0: it never does.
  double enough = 0;
};

/// All times in seconds.
struct Timing {
  double first = 0; ///< the very first run, which pays for thread and page creation; not counted
  double median = 0;
  double min = 0;
  double max = 0;
  std::size_t repeat = 0;
  double lowerQuartile = 0; ///< a quarter of the runs took less
  double upperQuartile = 0; ///< a quarter of the runs took more
  Caches caches = Caches::Warm;
  std::vector<double> runs = {}; ///< those that count, fastest first

  /// Whether other work has disturbed them: see areDisturbed.
  bool isDisturbed() const;
  /// (max - min) / median, in percent.
  double spreadPercent() const;
  /// `bytes` per median time, in 1e9 bytes a second; 0 when the time is.
  double gigabytesPerSecond(std::uint64_t bytes) const;
};

/// Whether half of several runs took more than three times as long as the fastest: then the median says more of what else the
/// machine did than of what was run. Few runs say nothing.
bool areDisturbed(double median, double fastest, std::size_t runs);

/// Median, quartiles, minimum and maximum of `seconds`, which is not empty.
Timing summarize(std::vector<double> seconds);

/// One first run, `warmup` more, then `repeat` that count. Containers that are read and written
/// start every run with their first values; restoring them is not timed.
Result<Timing> measure(Execution &execution, const TimingOptions &options);

} // namespace tangram::runtime
