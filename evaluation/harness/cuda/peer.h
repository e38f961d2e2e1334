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
#include <functional>
#include <sstream>
#include <string>
#include <utility>
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

/// Starts a kernel; what it takes is converted to the types of its parameters.
template <class... Parameters, class... Given>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, Given... given) {
  kernel<<<blocks, threads>>>(static_cast<Parameters>(given)...);
  CHECK(cudaGetLastError());
}

/// How many parts of `size` cover `count`.
constexpr unsigned partsOf(std::size_t count, std::size_t size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// Seconds of `repeats` calls, each with cold caches, after `before`, which is not timed.
template <class Work>
std::vector<double> coldTimes(unsigned repeats, const Work &work, const std::function<void()> &before = {}) {
  constexpr std::size_t flushed = std::size_t{256} << 20;
  const Buffer<char> other(flushed);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<double> seconds;
  for (unsigned i = 0; i < repeats + 3; ++i) {
    if (before)
      before();
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

/// The words between the commas.
inline std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    words.push_back(word);
  return words;
}

inline void print(const std::vector<double> &seconds, const std::string &how = "",
                  const std::string &others = "") {
  std::printf("{\"how\": \"%s\", \"others\": [%s], \"seconds\": [", how.c_str(), others.c_str());
  for (std::size_t i = 0; i < seconds.size(); ++i)
    std::printf("%s%.9f", i == 0 ? "" : ", ", seconds[i]);
  std::printf("]}\n");
}

/// One of several ways to compute the same.
struct Way {
  std::string how;
  std::function<void()> run;
};

/// A problem: ways to solve it, and what is right.
struct Problem {
  std::vector<Way> ways;
  std::function<void(const std::string &how)> judge; ///< ends the program where results are wrong
  std::function<void()> before = {};                 ///< a call: what is computed in place is made new
  std::function<void()> forget = {};                 ///< results, so that what is not written shows
};

/// Every way has to be right.
inline void judge(const Problem &problem) {
  for (const Way &way : problem.ways) {
    if (problem.forget)
      problem.forget();
    if (problem.before)
      problem.before();
    way.run();
    CHECK(cudaDeviceSynchronize());
    problem.judge(way.how);
  }
}

inline double medianOf(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Judges all ways, and prints how long the fastest takes, with the medians of the others.
inline void measure(unsigned repeats, const Problem &problem) {
  judge(problem);
  std::vector<std::pair<std::vector<double>, std::string>> times;
  for (const Way &way : problem.ways)
    times.emplace_back(coldTimes(repeats, way.run, problem.before), way.how);
  std::size_t best = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (medianOf(times[i].first) < medianOf(times[best].first))
      best = i;
  }
  std::string others;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i != best)
      others += (others.empty() ? "{\"how\": \"" : ", {\"how\": \"") + times[i].second +
                "\", \"median\": " + std::to_string(medianOf(times[i].first) * 1e6) + "e-6}";
  }
  print(times[best].first, times[best].second, others);
}

/// Elements on the device, each value(i), as on the host.
template <class T, class Value> std::vector<T> valuesOf(std::size_t count, const Value &value) {
  std::vector<T> values(count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(value(i));
  return values;
}

/// Numbers in [low, high).
inline std::vector<float> numbers(std::size_t count, std::uint64_t seed, double low = -1, double high = 1) {
  return valuesOf<float>(count, [=](std::uint64_t i) { return low + (high - low) * (Signed{seed}(i) + 1) / 2; });
}

/// Ends the program when an element of `got`, memory of the device, is further off than `bound`, in
/// parts of numbers that are above 1.
template <class T>
void expectAll(const std::string &how, const Buffer<T> &got, const std::vector<double> &expected, double bound) {
  std::vector<T> values(got.size());
  CHECK(cudaMemcpy(values.data(), got.data(), values.size() * sizeof(T), cudaMemcpyDeviceToHost));
  const auto boundAt = [&](std::size_t i) { return bound * std::max(1.0, std::fabs(expected[i])); };
  std::size_t wrong = expected.size(); // the first one
#pragma omp parallel for schedule(static) reduction(min : wrong)
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::fabs(static_cast<double>(values[i]) - expected[i]) <= boundAt(i)))
      wrong = std::min(wrong, i);
  }
  if (wrong < expected.size())
    expect((how + ", element " + std::to_string(wrong)).c_str(), static_cast<double>(values[wrong]), expected[wrong],
           boundAt(wrong));
}

/// Fills it with what no result is.
template <class T> void forget(const Buffer<T> &buffer) {
  CHECK(cudaMemset(buffer.data(), 0x7f, buffer.size() * sizeof(T)));
}
