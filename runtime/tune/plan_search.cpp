#include "runtime/tune/plan_search.h"

#include "runtime/tune/surrogate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tangram::runtime {

namespace {

/// A space of so many settings is listed.
constexpr std::size_t smallSpace = 4096;
/// How many a surrogate is asked about at a time; of a space that is not listed.
constexpr std::size_t poolSize = 256;
constexpr std::size_t randomPoolSize = 128;
/// Settings from which a surrogate is fitted at the most: the fastest ones.
constexpr std::size_t modelSize = 100;
constexpr std::size_t topNeighbourhoods = 3;

double distance(const std::vector<double> &a, const std::vector<double> &b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    square += (a[i] - b[i]) * (a[i] - b[i]);
  return square;
}

} // namespace

PlanSearch::PlanSearch(const TunableSpace &space, std::uint64_t seed)
    : space(space), numbers(seed) {
  if (space.count(smallSpace + 1) <= smallSpace) {
    all.emplace();
    space.forEach([&](const TunableValues &values) {
      all->push_back(values);
      return true;
    });
  }
}

std::vector<TunableValues> PlanSearch::untold() {
  std::vector<TunableValues> pool;
  if (all) {
    std::copy_if(all->begin(), all->end(), std::back_inserter(pool),
                 [&](const TunableValues &values) { return !isTold(values); });
    if (pool.size() <= poolSize)
      return pool;
    std::shuffle(pool.begin(), pool.end(), numbers);
    pool.resize(poolSize);
    return pool;
  }
  for (std::size_t i = 0; i < randomPoolSize; ++i) {
    std::optional<TunableValues> values = space.random(numbers);
    if (values && !isTold(*values))
      pool.push_back(std::move(*values));
  }
  return pool;
}

std::optional<TunableValues> PlanSearch::farthest() {
  std::optional<TunableValues> chosen;
  double farthest = -1;
  for (const TunableValues &values : untold()) {
    const std::vector<double> position = space.position(values);
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto &[other, seconds] : told)
      nearest = std::min(nearest, distance(position, space.position(other)));
    if (nearest > farthest) {
      farthest = nearest;
      chosen = values;
    }
  }
  return chosen;
}

std::optional<TunableValues> PlanSearch::promising(Kind kind) {
  std::vector<Surrogate::Position> positions;
  std::vector<double> logarithms;
  for (const Measured &each : best(modelSize)) {
    positions.push_back(space.position(each.values));
    logarithms.push_back(std::log(std::max(each.seconds, 1e-9)));
  }
  if (positions.empty())
    return farthest();
  const Surrogate surrogate(positions, logarithms);
  std::vector<TunableValues> pool;
  for (const Measured &top : best(kind == Kind::Expected ? topNeighbourhoods : 1)) {
    const std::vector<TunableValues> near =
        kind == Kind::Line ? space.alongAxes(top.values) : space.neighbours(top.values);
    std::copy_if(near.begin(), near.end(), std::back_inserter(pool),
                 [&](const TunableValues &values) { return !isTold(values); });
  }
  const bool isLocal = kind != Kind::Expected && !pool.empty();
  if (!isLocal) {
    std::vector<TunableValues> others = untold();
    pool.insert(pool.end(), others.begin(), others.end());
  }
  const double least = *std::min_element(logarithms.begin(), logarithms.end());
  std::optional<TunableValues> chosen;
  double most = -std::numeric_limits<double>::infinity();
  for (const TunableValues &values : pool) {
    const Surrogate::Position position = space.position(values);
    const double worth =
        isLocal ? -surrogate.at(position).mean : surrogate.improvement(position, least);
    if (worth > most) {
      most = worth;
      chosen = values;
    }
  }
  return chosen;
}

std::optional<TunableValues> PlanSearch::next() {
  const std::size_t number = proposals++;
  if (number == 0 && !isTold(space.standard()))
    return space.standard();
  const std::size_t spread = 2 * space.axes().size() + 1;
  if (number <= spread)
    return farthest();
  const std::array kinds{Kind::Expected, Kind::Neighbour, Kind::Line};
  return promising(kinds[number % kinds.size()]);
}

void PlanSearch::tell(const TunableValues &values, std::optional<double> seconds) {
  told[values] = seconds;
}

std::vector<PlanSearch::Measured> PlanSearch::best(std::size_t most) const {
  std::vector<Measured> fastest;
  for (const auto &[values, seconds] : told) {
    if (seconds)
      fastest.push_back({values, *seconds});
  }
  std::stable_sort(fastest.begin(), fastest.end(),
                   [](const Measured &a, const Measured &b) { return a.seconds < b.seconds; });
  if (fastest.size() > most)
    fastest.resize(most);
  return fastest;
}

double PlanSearch::bestSeconds() const {
  const std::vector<Measured> fastest = best(1);
  return fastest.empty() ? std::numeric_limits<double>::infinity() : fastest.front().seconds;
}

} // namespace tangram::runtime
