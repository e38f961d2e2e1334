#include "driver/choosing/versions/version_choice.h"

#include <algorithm>
#include <cmath>

namespace tangram::driver {

namespace {

constexpr double regretOfUnserved = 1e6;

/// The best time at each size.
std::vector<double> bestOf(const PlanTimes &times) {
  std::vector<double> best(times.front().size(), unserved);
  for (const std::vector<double> &plan : times) {
    for (std::size_t i = 0; i < best.size(); ++i)
      best[i] = std::min(best[i], plan[i]);
  }
  return best;
}

} // namespace

double regret(double seconds, double best) {
  if (std::isinf(best))
    return 0;
  return std::isinf(seconds) ? regretOfUnserved : seconds / best - 1;
}

std::vector<std::size_t> chooseVersions(const PlanTimes &times, std::size_t most,
                                        double leastGain) {
  std::vector<std::size_t> chosen;
  if (times.empty())
    return chosen;
  const std::vector<double> best = bestOf(times);
  std::vector<double> now(best.size(), unserved); // with what is chosen
  auto sumWith = [&](const std::vector<double> &plan) {
    double sum = 0;
    for (std::size_t i = 0; i < best.size(); ++i)
      sum += regret(std::min(now[i], plan[i]), best[i]);
    return sum;
  };
  double sum = sumWith(now);
  while (chosen.size() < std::min(most, times.size())) {
    std::size_t next = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t plan = 0; plan < times.size(); ++plan) {
      if (const double with = sumWith(times[plan]); with < least) {
        next = plan;
        least = with;
      }
    }
    if (!chosen.empty() && sum - least < leastGain * static_cast<double>(best.size()))
      break;
    chosen.push_back(next);
    sum = least;
    for (std::size_t i = 0; i < best.size(); ++i)
      now[i] = std::min(now[i], times[next][i]);
  }
  return chosen;
}

} // namespace tangram::driver
