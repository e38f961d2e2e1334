#include "runtime/inputs.h"

#include <algorithm>
#include <thread>

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

template <class T>
void fillRange(T *data, std::uint64_t state, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t i = from; i < to; ++i)
    data[i] = element<T>(splitmix64(state, i));
}

template <class T> void fill(HostArray &array, std::uint64_t state) {
  auto *data = reinterpret_cast<T *>(array.memory.data());
  std::uint64_t count = array.memory.bytes() / sizeof(T);
  constexpr std::uint64_t worthAThread = 1U << 20;
  std::uint64_t workers =
      std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, count / worthAThread + 1);
  std::uint64_t share = count / workers + 1;
  std::vector<std::jthread> threads;
  for (std::uint64_t from = share; from < count; from += share)
    threads.emplace_back(fillRange<T>, data, state, from, std::min(count, from + share));
  fillRange(data, state, 0, std::min(count, share));
}

} // namespace

void generate(HostArray &array, std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t state = splitmix64(splitmix64(seed, 0), stream);
  switch (array.element) {
  case ir::Scalar::Bool:
    return fill<bool>(array, state);
  case ir::Scalar::I8:
    return fill<std::int8_t>(array, state);
  case ir::Scalar::U8:
    return fill<std::uint8_t>(array, state);
  case ir::Scalar::I16:
    return fill<std::int16_t>(array, state);
  case ir::Scalar::U16:
    return fill<std::uint16_t>(array, state);
  case ir::Scalar::I32:
    return fill<std::int32_t>(array, state);
  case ir::Scalar::U32:
    return fill<std::uint32_t>(array, state);
  case ir::Scalar::I64:
    return fill<std::int64_t>(array, state);
  case ir::Scalar::F32:
    return fill<float>(array, state);
  case ir::Scalar::F64:
    return fill<double>(array, state);
  case ir::Scalar::U64:
  case ir::Scalar::Index:
    return fill<std::uint64_t>(array, state);
  case ir::Scalar::Void:
    return;
  }
}

} // namespace tangram::runtime
