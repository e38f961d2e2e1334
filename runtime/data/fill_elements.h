// Arrays filled element by element from a counter, by several threads where they are large.
#pragma once

#include "runtime/data/host_array.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace tangram::runtime {

/// Element `i` of the SplitMix64 sequence that starts at `state`; random access
/// is what lets several threads fill one array with the same values as one.
inline std::uint64_t splitmix64(std::uint64_t state, std::uint64_t i) {
  std::uint64_t z = state + (i + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

/// Where the sequence of a stream starts.
inline std::uint64_t stateOf(std::uint64_t seed, std::uint64_t stream) {
  return splitmix64(splitmix64(seed, 0), stream);
}

/// Uniform in [0, bound), for bounds of more than 32 bits too: the high half of a product.
inline std::uint64_t belowWide(std::uint64_t random, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(random) * bound) >> 64);
}

/// Element i is `elementOf(i, its random number)`.
template <class T, class Function>
void fillElements(HostArray &array, std::uint64_t state, const Function &elementOf) {
  auto *data = reinterpret_cast<T *>(array.memory.data());
  auto fillRange = [=](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i)
      data[i] = elementOf(i, splitmix64(state, i));
  };
  std::uint64_t count = array.memory.bytes() / sizeof(T);
  constexpr std::uint64_t worthAThread = 1U << 20;
  std::uint64_t workers =
      std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, count / worthAThread + 1);
  std::uint64_t share = count / workers + 1;
  std::vector<std::jthread> threads;
  for (std::uint64_t from = share; from < count; from += share)
    threads.emplace_back([=] { fillRange(from, std::min(count, from + share)); });
  fillRange(0, std::min(count, share));
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
  default:
    return;
  }
}

} // namespace tangram::runtime
