// What the programs that time a library on a GPU share: memory, data, cold caches, JSON.
//
// A time is that of one call, between two CUDA events, after a buffer larger than the cache has been
// written. The host issues all three while the buffer is still being written, so that what a launch
// costs the host does not show.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call) check((call) == 0, #call)

[[noreturn]] inline void fail(int status, const std::string &message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(status);
}

inline void check(bool fine, const char *what) {
  if (!fine)
    fail(1, std::string(what) + " failed: " + cudaGetErrorString(cudaGetLastError()));
}

/// Device memory of `count` elements, freed with its owner.
template <class T> class Buffer {
public:
  explicit Buffer(std::size_t count) : count_(count) {
    CHECK(cudaMalloc(&data_, std::max<std::size_t>(count, 1) * sizeof(T)));
  }
  explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) {
    CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  T *data() const { return data_; }
  std::size_t size() const { return count_; }
  T at(std::size_t i) const {
    T value;
    CHECK(cudaMemcpy(&value, data_ + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  }

private:
  T *data_ = nullptr;
  std::size_t count_;
};

/// Number i of a random sequence.
__host__ __device__ inline std::uint64_t randomNumber(std::uint64_t i, std::uint64_t seed) {
  std::uint64_t x = (i + (seed << 40)) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// In [-1, 1), with 24 bits.
struct Signed {
  std::uint64_t seed;
  __host__ __device__ double operator()(std::uint64_t i) const {
    return static_cast<double>(randomNumber(i, seed) >> 40) * 0x1p-23 - 1;
  }
};

/// Integers in [low, low + count).
struct Integers {
  std::uint64_t seed;
  int low, count;
  __host__ __device__ int operator()(std::uint64_t i) const {
    return low + static_cast<int>(randomNumber(i, seed) % static_cast<std::uint64_t>(count));
  }
};

template <class T, class Value>
__global__ void fillKernel(T *data, std::size_t count, Value value) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step)
    data[i] = static_cast<T>(value(i));
}

template <class T, class Value> void fill(const Buffer<T> &buffer, const Value &value) {
  fillKernel<<<1024, 256>>>(buffer.data(), buffer.size(), value);
  CHECK(cudaDeviceSynchronize());
}

/// Seconds of `repeats` calls, each with cold caches.
template <class Work> std::vector<double> coldTimes(unsigned repeats, const Work &work) {
  constexpr std::size_t flushed = std::size_t{256} << 20;
  const Buffer<char> other(flushed);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<double> seconds;
  for (unsigned i = 0; i < repeats + 3; ++i) {
    CHECK(cudaMemsetAsync(other.data(), static_cast<int>(i), flushed));
    CHECK(cudaEventRecord(begin));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (i >= 3)
      seconds.push_back(milliseconds / 1e3);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return seconds;
}

/// Ends the program when a result is further off than `bound`.
inline void expect(const char *what, double got, double expected, double bound) {
  if (!(std::fabs(got - expected) <= bound))
    fail(3, std::string(what) + " is " + std::to_string(got) + ", expected " +
                std::to_string(expected));
}

inline void print(const std::vector<double> &seconds, const std::string &how = "") {
  std::printf("{\"how\": \"%s\", \"seconds\": [", how.c_str());
  for (std::size_t i = 0; i < seconds.size(); ++i)
    std::printf("%s%.9f", i == 0 ? "" : ", ", seconds[i]);
  std::printf("]}\n");
}
