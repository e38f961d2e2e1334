#include "runtime/session/forecast.h"

#include <algorithm>
#include <cmath>

namespace tangram::runtime {

void Forecast::took(std::uint64_t elements, double seconds) {
  const auto [at, isNew] = least_.try_emplace(elements, seconds);
  if (!isNew)
    at->second = std::min(at->second, seconds);
}

double Forecast::secondsFor(std::uint64_t elements) const {
  if (least_.empty())
    return 0;
  const auto largest = std::prev(least_.end());
  const auto [known, seconds] = *largest;
  if (elements <= known || known == 0)
    return seconds;
  double power = 1.5;
  // Growth is measured between sizes that differ by a factor of 2 at least; between closer sizes it is mostly noise.
  const auto smaller = std::find_if(std::make_reverse_iterator(largest), least_.rend(),
                                    [&](const auto &each) { return each.first <= known / 2; });
  if (smaller != least_.rend() && smaller->first > 0)
    power =
        std::clamp(std::log(seconds / smaller->second) /
                       std::log(static_cast<double>(known) / static_cast<double>(smaller->first)),
                   1.0, 3.0);
  return seconds * std::pow(static_cast<double>(elements) / static_cast<double>(known), power);
}

} // namespace tangram::runtime
