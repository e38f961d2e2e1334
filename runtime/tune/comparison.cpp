#include "runtime/tune/comparison.h"

#include <algorithm>

namespace tangram::runtime {

namespace {

/// What less of is not worth another setting.
constexpr double worthwhile = 0.99;

} // namespace

double Compared::median() const { return summarize(runs).median; }

std::vector<Compared>
compareInTurns(std::size_t count,
               const std::function<std::optional<std::vector<double>>(std::size_t)> &run) {
  std::vector<Compared> all(count);
  for (std::size_t block = 0; block < comparisonBlocks; ++block) {
    for (std::size_t i = 0; i < count; ++i) {
      Compared &own = all[block % 2 == 0 ? i : count - 1 - i];
      if (own.failed)
        continue;
      std::optional<std::vector<double>> runs = run(static_cast<std::size_t>(&own - all.data()));
      if (!runs || runs->empty()) {
        own.failed = true;
        continue;
      }
      own.medians.push_back(summarize(*runs).median);
      own.runs.insert(own.runs.end(), runs->begin(), runs->end());
    }
  }
  return all;
}

std::size_t blocksFaster(const Compared &a, const Compared &than) {
  std::size_t faster = 0;
  for (std::size_t block = 0; block < std::min(a.medians.size(), than.medians.size()); ++block)
    faster += a.medians[block] < than.medians[block] ? 1 : 0;
  return faster;
}

bool reallyFaster(const Compared &a, const Compared &than) {
  if (a.failed || than.failed)
    return !a.failed;
  std::vector<double> ratios;
  for (std::size_t block = 0; block < a.medians.size(); ++block)
    ratios.push_back(a.medians[block] / than.medians[block]);
  return blocksFaster(a, than) + 1 >= ratios.size() && summarize(ratios).median <= worthwhile;
}

} // namespace tangram::runtime
