#include "runtime/data/generate.h"

#include "runtime/data/fill_elements.h"
#include "runtime/data/kind_patterns.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace tangram::runtime {

namespace {

/// Uniform in [0, bound): the high half of a product, as Lemire 2019 without rejection.
std::uint64_t below(std::uint64_t random, std::uint64_t bound) {
  return ((random >> 32) * bound) >> 32;
}

template <class T> T element(std::uint64_t random) {
  if constexpr (std::is_same_v<T, bool>)
    return (random >> 63) != 0;
  else if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(static_cast<std::int64_t>(random >> 39) - (1 << 24)) * 0x1p-24F;
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(static_cast<std::int64_t>(random >> 10) - (1LL << 53)) * 0x1p-53;
  else if constexpr (sizeof(T) == 1)
    return static_cast<T>(random >> 56);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(below(random, 2001)) - 1000);
  else
    return static_cast<T>(below(random, 1001));
}

/// How much of the way each of `steps` steps takes: about a quarter of them nothing, many a
/// little, few up to a thousand times as much. Of two or more, some take nothing; of eight or more, one
/// takes a quarter of the way or more.
std::vector<std::uint64_t> unevenWeights(std::uint64_t steps, std::uint64_t state) {
  std::vector<std::uint64_t> weights(steps);
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < steps; ++i) {
    std::uint64_t random = splitmix64(state, i);
    if ((random & 3) != 0)
      weights[i] = (1 + (random >> 61)) << std::min(std::countr_zero(random >> 2), 10);
    total += weights[i];
  }
  if (steps == 0)
    return weights;
  std::uint64_t somewhere = belowWide(splitmix64(state, steps), steps);
  if (steps >= 8)
    weights[somewhere] += total / 3 + 1;
  else if (total == 0)
    weights[somewhere] = 1;
  if (steps >= 2 && std::count(weights.begin(), weights.end(), 0U) == 0)
    weights[(somewhere + 1) % steps] = 0;
  return weights;
}

} // namespace

namespace {

/// The smallest and the largest ordinary integer of a type, where no contract bounds them.
template <class T> std::pair<__int128, __int128> usualRange() {
  if constexpr (std::is_same_v<T, bool>)
    return {0, 1};
  else if constexpr (sizeof(T) == 1)
    return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  else
    return {std::is_signed_v<T> ? -1000 : 0, 1000};
}

template <class T>
void fillIntegers(HostArray &array, const IntegerPattern &pattern, const PatternPlace &place) {
  fillElements<T>(array, place.state(), [pattern](std::uint64_t i, std::uint64_t random) {
    return static_cast<T>(pattern(i, random));
  });
}

/// How much of the way from the first to the last element each of `steps` steps takes.
std::vector<std::uint64_t> weightsOf(std::uint64_t steps, const PatternPlace &place) {
  std::vector<std::uint64_t> weights(steps, place.kind == DataKind::Few ? 1 : 0);
  switch (place.kind) {
  case DataKind::Few: // all alike
    break;
  case DataKind::Sorted:
  case DataKind::Reversed:
    for (std::uint64_t i = 0; i < steps; ++i)
      weights[i] = place.kind == DataKind::Sorted ? i : steps - 1 - i;
    break;
  case DataKind::Edges: // one takes all of it: the first, the last, or some
    if (steps > 0)
      weights[place.variant() == 0   ? 0
              : place.variant() == 1 ? steps - 1
                                     : belowWide(splitmix64(place.state(), 0), steps)] = 1;
    break;
  default:
    return unevenWeights(steps, place.state());
  }
  if (steps > 0 && std::ranges::count(weights, 0U) == static_cast<std::int64_t>(steps))
    weights[0] = 1;
  return weights;
}

} // namespace

void generate(HostArray &array, std::uint64_t seed, std::uint64_t stream, DataKind kind,
              const NamedNumbers &constants) {
  const PatternPlace place{kind, seed, stream, array.count()};
  withElement(array.element, [&]<class T>(T) {
    if (kind == DataKind::Ordinary) {
      fillElements<T>(array, place.state(),
                      [](std::uint64_t, std::uint64_t random) { return element<T>(random); });
    } else if constexpr (std::is_floating_point_v<T>) {
      fillElements<T>(array, place.state(),
                      [pattern = FloatPattern(place, sizeof(T) == sizeof(float), constants)](
                          std::uint64_t i, std::uint64_t random) {
                        return static_cast<T>(pattern(i, random));
                      });
    } else {
      const auto [usualLow, usualHigh] = usualRange<T>();
      fillIntegers<T>(array,
                      IntegerPattern(place, std::numeric_limits<T>::min(),
                                     std::numeric_limits<T>::max(), usualLow, usualHigh, constants),
                      place);
    }
  });
}

void generateWithin(HostArray &array, __int128 low, __int128 high, std::uint64_t seed,
                    std::uint64_t stream, DataKind kind, const NamedNumbers &constants) {
  const PatternPlace place{kind, seed, stream, array.count()};
  withElement(array.element, [&]<class T>(T) {
    if (kind == DataKind::Ordinary)
      fillElements<T>(array, place.state(), [low, high](std::uint64_t, std::uint64_t random) {
        // The count of numbers in [low, high), as far as 64 bits hold it.
        const auto bound = static_cast<std::uint64_t>(std::min<__int128>(high - low, UINT64_MAX));
        return static_cast<T>(static_cast<std::uint64_t>(low) + belowWide(random, bound));
      });
    else
      fillIntegers<T>(array, IntegerPattern(place, low, high - 1, low, high - 1, constants), place);
  });
}

void generateAscending(HostArray &array, std::uint64_t low, std::uint64_t high, std::uint64_t seed,
                       std::uint64_t stream, DataKind kind) {
  const std::uint64_t count = array.count();
  if (count == 0)
    return;
  std::vector<std::uint64_t> weights = weightsOf(count - 1, {kind, seed, stream, count});
  unsigned __int128 whole = 0;
  for (std::uint64_t weight : weights)
    whole += weight;
  withElement(array.element, [&]<class T>(T) {
    auto *data = reinterpret_cast<T *>(array.memory.data());
    unsigned __int128 part = 0;
    data[0] = static_cast<T>(low);
    for (std::uint64_t i = 1; i < count; ++i) {
      part += weights[i - 1];
      data[i] = static_cast<T>(low + static_cast<std::uint64_t>((high - low) * part / whole));
    }
  });
}

} // namespace tangram::runtime
