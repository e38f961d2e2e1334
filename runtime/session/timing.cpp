#include "runtime/session/timing.h"

#include <algorithm>

namespace tangram::runtime {

double Timing::spreadPercent() const { return median > 0 ? (max - min) / median * 100 : 0; }

bool areDisturbed(double median, double fastest, std::size_t runs) {
  constexpr std::size_t several = 5;
  constexpr double times = 3;
  return runs >= several && median > times * fastest;
}

bool Timing::isDisturbed() const { return areDisturbed(median, min, repeat); }

double Timing::gigabytesPerSecond(std::uint64_t bytes) const {
  return median > 0 ? static_cast<double>(bytes) / median * 1e-9 : 0;
}

Timing summarize(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  std::size_t n = seconds.size();
  Timing timing;
  timing.min = seconds.front();
  timing.max = seconds.back();
  timing.median = n % 2 == 1 ? seconds[n / 2] : (seconds[n / 2 - 1] + seconds[n / 2]) / 2;
  timing.repeat = n;
  timing.lowerQuartile = seconds[n / 4];
  timing.upperQuartile = seconds[n - 1 - n / 4];
  timing.runs = std::move(seconds);
  return timing;
}

Result<Timing> measure(Execution &execution, const TimingOptions &options) {
  // By itself: who waits for a bundle that loops for ever waits for one run.
  Result<std::vector<double>> first = execution.repeat(1, options.caches);
  if (!first)
    return first.error();
  Result<std::vector<double>> seconds = first;
  if (options.enough > 0 && first->front() > options.enough)
    seconds = execution.repeat(1, options.caches);
  if (!seconds)
    return seconds.error();
  if (options.enough <= 0 || seconds->front() <= options.enough) {
    seconds = execution.repeat(options.warmup + options.repeat, options.caches);
    if (!seconds)
      return seconds.error();
    seconds->erase(seconds->begin(),
                   seconds->begin() + static_cast<std::ptrdiff_t>(options.warmup));
  }
  Timing timing = summarize(std::move(*seconds));
  timing.first = first->front();
  timing.caches = options.caches;
  return timing;
}

} // namespace tangram::runtime
