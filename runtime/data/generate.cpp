#include "runtime/data/generate.h"

#include <algorithm>
#include <bit>
#include <thread>
#include <vector>

namespace tangram::runtime {

namespace {

/// Element `i` of the SplitMix64 sequence that starts at `state`; random access
/// is what lets several threads fill one array with the same values as one.
std::uint64_t splitmix64(std::uint64_t state, std::uint64_t i) {
  std::uint64_t z = state + (i + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

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

template <class T, class Function>
void fillRange(T *data, std::uint64_t state, std::uint64_t from, std::uint64_t to,
               const Function &elementOf) {
  for (std::uint64_t i = from; i < to; ++i)
    data[i] = elementOf(splitmix64(state, i));
}

template <class T, class Function>
void fill(HostArray &array, std::uint64_t state, const Function &elementOf) {
  auto *data = reinterpret_cast<T *>(array.memory.data());
  std::uint64_t count = array.memory.bytes() / sizeof(T);
  constexpr std::uint64_t worthAThread = 1U << 20;
  std::uint64_t workers =
      std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, count / worthAThread + 1);
  std::uint64_t share = count / workers + 1;
  std::vector<std::jthread> threads;
  for (std::uint64_t from = share; from < count; from += share)
    threads.emplace_back(
        [=] { fillRange(data, state, from, std::min(count, from + share), elementOf); });
  fillRange(data, state, 0, std::min(count, share), elementOf);
}

/// Calls `function` with a T, the element type.
template <class Function> void withElement(ir::Scalar element, const Function &function) {
  switch (element) {
  case ir::Scalar::Bool:
    return function(bool{});
  case ir::Scalar::I8:
    return function(std::int8_t{});
  case ir::Scalar::U8:
    return function(std::uint8_t{});
  case ir::Scalar::I16:
    return function(std::int16_t{});
  case ir::Scalar::U16:
    return function(std::uint16_t{});
  case ir::Scalar::I32:
    return function(std::int32_t{});
  case ir::Scalar::U32:
    return function(std::uint32_t{});
  case ir::Scalar::I64:
    return function(std::int64_t{});
  case ir::Scalar::F32:
    return function(float{});
  case ir::Scalar::F64:
    return function(double{});
  case ir::Scalar::U64:
  case ir::Scalar::Index:
    return function(std::uint64_t{});
  case ir::Scalar::F16:
  case ir::Scalar::F128:
  case ir::Scalar::Void:
    return;
  }
}

std::uint64_t stateOf(std::uint64_t seed, std::uint64_t stream) {
  return splitmix64(splitmix64(seed, 0), stream);
}

/// Uniform in [0, bound), for bounds of more than 32 bits too.
std::uint64_t belowWide(std::uint64_t random, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(random) * bound) >> 64);
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

void generate(HostArray &array, std::uint64_t seed, std::uint64_t stream) {
  withElement(array.element, [&]<class T>(T) {
    fill<T>(array, stateOf(seed, stream), [](std::uint64_t random) { return element<T>(random); });
  });
}

void generateWithin(HostArray &array, std::uint64_t low, std::uint64_t high, std::uint64_t seed,
                    std::uint64_t stream) {
  withElement(array.element, [&]<class T>(T) {
    fill<T>(array, stateOf(seed, stream), [low, high](std::uint64_t random) {
      return static_cast<T>(low + belowWide(random, high - low));
    });
  });
}

void generateAscending(HostArray &array, std::uint64_t low, std::uint64_t high, std::uint64_t seed,
                       std::uint64_t stream) {
  const std::uint64_t count = array.count();
  if (count == 0)
    return;
  std::vector<std::uint64_t> weights = unevenWeights(count - 1, stateOf(seed, stream));
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
