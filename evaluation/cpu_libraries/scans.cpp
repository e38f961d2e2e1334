// Prefix sums of ints, inclusive and exclusive.
#include "row.h"

#include <omp.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <execution>
#include <functional>
#include <numeric>

namespace {

/// Add up a part for each thread, then scan each from where it starts.
template <bool exclusive> void twoPasses(const int *in, int *out, std::size_t size) {
  std::vector<int> totals(static_cast<std::size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = size * thread / threads;
    const std::size_t end = size * (thread + 1) / threads;
    int total = 0;
    for (std::size_t i = begin; i < end; ++i)
      total += in[i];
    totals[thread + 1] = total;
#pragma omp barrier
    int accum = 0;
    for (std::size_t t = 0; t <= thread; ++t)
      accum += totals[t];
    for (std::size_t i = begin; i < end; ++i) {
      const int value = in[i];
      out[i] = exclusive ? accum : accum + value;
      accum += value;
    }
  }
}

template <bool exclusive> void byOpenMP(const int *in, int *out, std::size_t size) {
  int accum = 0;
  if constexpr (exclusive) {
#pragma omp parallel for simd reduction(inscan, + : accum)
    for (std::size_t i = 0; i < size; ++i) {
      out[i] = accum;
#pragma omp scan exclusive(accum)
      accum += in[i];
    }
  } else {
#pragma omp parallel for simd reduction(inscan, + : accum)
    for (std::size_t i = 0; i < size; ++i) {
      accum += in[i];
#pragma omp scan inclusive(accum)
      out[i] = accum;
    }
  }
}

template <bool exclusive> void byTBB(const int *in, int *out, std::size_t size) {
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, size), 0,
      [=](const tbb::blocked_range<std::size_t> &range, int accum, bool final) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const int value = in[i];
          if (final)
            out[i] = exclusive ? accum : accum + value;
          accum += value;
        }
        return accum;
      },
      std::plus<>());
}

template <bool exclusive> void byStd(const int *in, int *out, std::size_t size) {
  if constexpr (exclusive)
    std::exclusive_scan(std::execution::par_unseq, in, in + size, out, 0);
  else
    std::inclusive_scan(std::execution::par_unseq, in, in + size, out);
}

template <bool exclusive> Row make(std::size_t n) {
  auto in = std::make_shared<Array<int>>(n);
  auto out = std::make_shared<Array<int>>(n);
  fill(*in, [](std::size_t i) { return static_cast<int>(randomNumber(i, 1) % 15) - 7; });
  Row row;
  row.bytes = 8.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments().container(in->data(), {n}).container(out->data(), {n}));
  };
  const int *from = in->data();
  int *to = out->data();
  row.peers = {
      {exclusive ? "std::exclusive_scan(par_unseq)" : "std::inclusive_scan(par_unseq)",
       [=] { byStd<exclusive>(from, to, n); }},
      {"tbb::parallel_scan", [=] { byTBB<exclusive>(from, to, n); }},
      {"OpenMP scan", [=] { byOpenMP<exclusive>(from, to, n); }},
      {"two passes by hand", [=] { twoPasses<exclusive>(from, to, n); }},
  };
  row.forget = [out] { fill(*out, [](std::size_t) { return 0x5a5a5a5a; }); };
  row.wrong = [=]() -> std::string {
    int accum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const int before = accum;
      accum += (*in)[i];
      const int expected = exclusive ? before : accum;
      if ((*out)[i] != expected)
        return "element " + std::to_string(i) + " is " + std::to_string((*out)[i]) + ", expected " +
               std::to_string(expected);
    }
    return "";
  };
  return row;
}

} // namespace

Row makeScan(const Words &sizes) { return make<false>(sizeAt(sizes, 0)); }
Row makeExclusiveScan(const Words &sizes) { return make<true>(sizeAt(sizes, 0)); }
