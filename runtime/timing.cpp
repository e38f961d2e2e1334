#include "runtime/timing.h"

#include <algorithm>

namespace tangram::runtime {

double Timing::spreadPercent() const { return median > 0 ? (max - min) / median * 100 : 0; }

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
  return timing;
}

Result<Timing> measure(Execution &execution, const TimingOptions &options) {
  double first = 0;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < 1 + options.warmup + options.repeat; ++i) {
    if (Status status = execution.reset(false); !status)
      return status.error();
    Result<double> elapsed = execution.run();
    if (!elapsed)
      return elapsed.error();
    if (i == 0)
      first = *elapsed;
    else if (i > options.warmup)
      seconds.push_back(*elapsed);
  }
  Timing timing = summarize(std::move(seconds));
  timing.first = first;
  return timing;
}

} // namespace tangram::runtime
