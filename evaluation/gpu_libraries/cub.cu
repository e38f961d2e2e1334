// CUB: cub sum|scan|exclusive_scan|histogram|compact REPEATS ELEMENTS
#include "../harness/cuda/peer.h"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace {

struct Positive {
  __device__ bool operator()(int x) const { return x > 0; }
};

/// `call(temporary, bytes)` as CUB wants it: first asked for the bytes, then run.
template <class Call> std::vector<double> timed(unsigned repeats, const Call &call) {
  std::size_t bytes = 0;
  CHECK(call(nullptr, bytes));
  const Buffer<char> temporary(bytes);
  return coldTimes(repeats, [&] { CHECK(call(temporary.data(), bytes)); });
}

void sum(unsigned repeats, std::size_t n) {
  const Buffer<float> in(n), out(1);
  fill(in, Signed{1});
  print(timed(repeats, [&](void *temporary, std::size_t &bytes) {
    return cub::DeviceReduce::Sum(temporary, bytes, in.data(), out.data(), n);
  }));
  double expected = 0;
#pragma omp parallel for reduction(+ : expected)
  for (std::size_t i = 0; i < n; ++i)
    expected += Signed{1}(i);
  expect("the sum", out.at(0), expected, 1e-6 * static_cast<double>(n));
}

void scan(unsigned repeats, std::size_t n, bool exclusive) {
  const Buffer<int> in(n), out(n);
  const Integers value{1, -7, 15};
  fill(in, value);
  print(timed(repeats, [&](void *temporary, std::size_t &bytes) {
    return exclusive ? cub::DeviceScan::ExclusiveSum(temporary, bytes, in.data(), out.data(), n)
                     : cub::DeviceScan::InclusiveSum(temporary, bytes, in.data(), out.data(), n);
  }));
  int expected = 0;
#pragma omp parallel for reduction(+ : expected)
  for (std::size_t i = 0; i < n - (exclusive ? 1 : 0); ++i)
    expected += value(i);
  expect("the last element", out.at(n - 1), expected, 0);
}

void histogram(unsigned repeats, std::size_t n) {
  constexpr int bins = 256;
  const Buffer<int> in(n), counts(bins);
  const Integers value{1, 0, bins};
  fill(in, value);
  print(timed(repeats, [&](void *temporary, std::size_t &bytes) {
    return cub::DeviceHistogram::HistogramEven(temporary, bytes, in.data(), counts.data(), bins + 1,
                                               0, bins, static_cast<std::int64_t>(n));
  }));
  double expected = 0;
#pragma omp parallel for reduction(+ : expected)
  for (std::size_t i = 0; i < n; ++i)
    expected += value(i) == 3 ? 1 : 0;
  expect("the third bin", counts.at(3), expected, 0);
}

void compact(unsigned repeats, std::size_t n) {
  const Buffer<int> in(n), out(n), kept(1);
  const Integers value{1, -1000, 2001};
  fill(in, value);
  print(timed(repeats, [&](void *temporary, std::size_t &bytes) {
    return cub::DeviceSelect::If(temporary, bytes, in.data(), out.data(), kept.data(),
                                 static_cast<std::int64_t>(n), Positive());
  }));
  double expected = 0;
#pragma omp parallel for reduction(+ : expected)
  for (std::size_t i = 0; i < n; ++i)
    expected += value(i) > 0 ? 1 : 0;
  expect("the number kept", kept.at(0), expected, 0);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    fail(2, "cub sum|scan|exclusive_scan|histogram|compact REPEATS ELEMENTS");
  const std::string row = argv[1];
  const auto repeats = static_cast<unsigned>(std::atoi(argv[2]));
  const std::size_t n = std::strtoull(argv[3], nullptr, 10);
  if (row == "sum")
    sum(repeats, n);
  else if (row == "histogram")
    histogram(repeats, n);
  else if (row == "compact")
    compact(repeats, n);
  else if (row == "scan" || row == "exclusive_scan")
    scan(repeats, n, row != "scan");
  else
    fail(2, "cub: no row " + row);
  return 0;
}
