// Times cub::DeviceReduce::Sum, the peer on NVIDIA GPUs, and a device-to-device
// copy, which says what the memory can do.
//
//   cub_sum REPEATS SEED ELEMENTS...
//
// For every size: sums repeated over one array, as a runtime that times one
// kernel does ("repeated": what fits in the cache is found there), and sums over
// several arrays in turn that together exceed the cache ("rotated"). Both are
// times of one call among twenty issued back to back, which hides what a launch
// costs the host; "single" is a call on its own, launch included. Times are from
// CUDA events; temporary storage is allocated before. Prints JSON.
#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "cub_sum: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Device memory of `count` elements, freed with its owner.
template <typename T> class Buffer {
public:
  explicit Buffer(std::size_t count) {
    check(cudaMalloc(&data_, std::max<std::size_t>(count, 1) * sizeof(T)), "cudaMalloc");
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  T *data() const { return data_; }

private:
  T *data_ = nullptr;
};

/// Seconds of device time one call of `work` takes, when `calls` are issued back to back.
template <typename Work> double timed(unsigned calls, const Work &work) {
  cudaEvent_t begin;
  cudaEvent_t end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  check(cudaEventRecord(begin), "cudaEventRecord");
  for (unsigned i = 0; i < calls; ++i)
    work(i);
  check(cudaEventRecord(end), "cudaEventRecord");
  check(cudaEventSynchronize(end), "cudaEventSynchronize");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  check(cudaEventDestroy(begin), "cudaEventDestroy");
  check(cudaEventDestroy(end), "cudaEventDestroy");
  return milliseconds / 1e3 / calls;
}

template <typename Work>
std::vector<double> repeated(unsigned repeats, unsigned calls, const Work &work) {
  for (unsigned i = 0; i < 3; ++i)
    timed(calls, work);
  std::vector<double> seconds;
  for (unsigned i = 0; i < repeats; ++i)
    seconds.push_back(timed(calls, work));
  return seconds;
}

std::string list(const std::vector<double> &seconds) {
  std::string text = "[";
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    char number[32];
    std::snprintf(number, sizeof number, "%s%.9f", i ? ", " : "", seconds[i]);
    text += number;
  }
  return text + "]";
}

/// Random ints, small enough that no sum overflows.
std::vector<int> values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> result(size);
  for (int &value : result)
    value = static_cast<int>(random() % 15) - 7;
  return result;
}

std::string measureSum(std::size_t size, unsigned repeats, unsigned seed, std::size_t cacheBytes) {
  const std::vector<int> host = values(size, seed);
  std::int64_t expected = 0;
  for (const int value : host)
    expected += value;

  const std::size_t arrays = std::max<std::size_t>(
      1,
      std::min<std::size_t>(16, 4 * cacheBytes / std::max<std::size_t>(size * sizeof(int), 1) + 1));
  const Buffer<int> in(size * arrays);
  for (std::size_t i = 0; i < arrays; ++i)
    check(cudaMemcpy(in.data() + i * size, host.data(), size * sizeof(int), cudaMemcpyHostToDevice),
          "cudaMemcpy");

  const Buffer<int> out(1);
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, in.data(), out.data(), size), "DeviceReduce::Sum");
  const Buffer<char> temporary(bytes);
  auto sum = [&](std::size_t array) {
    check(
        cub::DeviceReduce::Sum(temporary.data(), bytes, in.data() + array * size, out.data(), size),
        "DeviceReduce::Sum");
  };
  constexpr unsigned calls = 20;
  const auto first = [&](unsigned) { sum(0); };
  const std::vector<double> single = repeated(repeats, 1, first);
  const std::vector<double> one = repeated(repeats, calls, first);
  const std::vector<double> rotated =
      repeated(repeats, calls, [&](unsigned i) { sum(i % arrays); });

  check(cudaMemset(out.data(), 0x5a, sizeof(int)), "cudaMemset");
  sum(0);
  int result = 0;
  check(cudaMemcpy(&result, out.data(), sizeof result, cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (result != expected) {
    std::fprintf(stderr, "cub_sum: %zu elements give %d, expected %lld\n", size, result,
                 static_cast<long long>(expected));
    std::exit(3);
  }
  return "{\"elements\": " + std::to_string(size) + ", \"arrays\": " + std::to_string(arrays) +
         ",\n   \"single\": " + list(single) + ",\n   \"repeated\": " + list(one) +
         ",\n   \"rotated\": " + list(rotated) + "}";
}

std::string measureCopy(std::size_t bytes, unsigned repeats) {
  const Buffer<char> from(bytes);
  const Buffer<char> to(bytes);
  check(cudaMemset(from.data(), 1, bytes), "cudaMemset");
  const std::vector<double> seconds = repeated(repeats, 1, [&](unsigned) {
    check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice), "copy");
  });
  return "{\"bytes_moved\": " + std::to_string(2 * bytes) + ", \"seconds\": " + list(seconds) + "}";
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: cub_sum REPEATS SEED ELEMENTS...\n");
    return 2;
  }
  const auto repeats = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  const auto seed = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));

  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  std::printf("{\"device\": \"%s\", \"multiprocessors\": %d, \"cache_bytes\": %d,\n", device.name,
              device.multiProcessorCount, device.l2CacheSize);
  std::printf(" \"copy\": %s,\n \"sums\": [",
              measureCopy(std::size_t{2} << 30, std::min(repeats, 30U)).c_str());
  for (int i = 3; i < argc; ++i)
    std::printf("%s\n  %s", i > 3 ? "," : "",
                measureSum(std::strtoull(argv[i], nullptr, 10), repeats, seed,
                           static_cast<std::size_t>(device.l2CacheSize))
                    .c_str());
  std::printf("\n]}\n");
  return 0;
}
