// Histogram of 256 bins, compaction, transposition.
#include "row.h"

#include <cblas.h>
#include <omp.h>
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <execution>
#include <iterator>

namespace {

constexpr std::size_t bins = 256;
using Counts = std::array<int, bins>;

void addTo(int *total, const Counts &counts) {
  for (std::size_t b = 0; b < bins; ++b)
    total[b] += counts[b];
}

void histogramByOpenMP(const int *in, std::size_t size, int *out) {
#pragma omp parallel for schedule(static) reduction(+ : out[ : bins])
  for (std::size_t i = 0; i < size; ++i)
    ++out[in[i]];
}

/// Four copies a thread, so that equal values in a row do not wait for each other.
void histogramByHand(const int *in, std::size_t size, int *out) {
#pragma omp parallel
  {
    std::array<Counts, 4> own{};
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < size / 4; ++i) {
      for (std::size_t k = 0; k < 4; ++k)
        ++own[k][static_cast<std::size_t>(in[4 * i + k])];
    }
#pragma omp critical
    {
      for (const Counts &counts : own)
        addTo(out, counts);
    }
  }
  for (std::size_t i = size / 4 * 4; i < size; ++i)
    ++out[in[i]];
}

void histogramByTBB(const int *in, std::size_t size, int *out) {
  tbb::combinable<Counts> own([] { return Counts{}; });
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, size),
                    [&](const tbb::blocked_range<std::size_t> &range) {
                      Counts &counts = own.local();
                      for (std::size_t i = range.begin(); i < range.end(); ++i)
                        ++counts[static_cast<std::size_t>(in[i])];
                    });
  own.combine_each([&](const Counts &counts) { addTo(out, counts); });
}

/// Count a part for each thread, then pack each from where it starts.
unsigned compactByHand(const int *in, std::size_t size, int *out) {
  std::vector<std::size_t> kept(static_cast<std::size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = size * thread / threads;
    const std::size_t end = size * (thread + 1) / threads;
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i)
      count += in[i] > 0 ? 1 : 0;
    kept[thread + 1] = count;
#pragma omp barrier
    std::size_t place = 0;
    for (std::size_t t = 0; t <= thread; ++t)
      place += kept[t];
    for (std::size_t i = begin; i < end; ++i) {
      if (in[i] > 0)
        out[place++] = in[i];
    }
  }
  std::size_t total = 0;
  for (const std::size_t count : kept)
    total += count;
  return static_cast<unsigned>(total);
}

void transposeBlock(const float *in, float *out, std::size_t n, std::size_t row,
                    std::size_t column) {
  constexpr std::size_t block = 32;
  for (std::size_t j = column; j < std::min(column + block, n); ++j) {
    for (std::size_t i = row; i < std::min(row + block, n); ++i)
      out[j * n + i] = in[i * n + j];
  }
}

void transposeByOpenMP(const float *in, float *out, std::size_t n) {
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t column = 0; column < n; column += 32) {
    for (std::size_t row = 0; row < n; row += 32)
      transposeBlock(in, out, n, row, column);
  }
}

void transposeByTBB(const float *in, float *out, std::size_t n) {
  tbb::parallel_for(tbb::blocked_range2d<std::size_t>(0, n, 32, 0, n, 32), [=](const auto &range) {
    for (std::size_t j = range.rows().begin(); j < range.rows().end(); ++j) {
      for (std::size_t i = range.cols().begin(); i < range.cols().end(); ++i)
        out[j * n + i] = in[i * n + j];
    }
  });
}

} // namespace

Row makeHistogram(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  auto in = std::make_shared<Array<int>>(n);
  auto out = std::make_shared<Array<int>>(bins);
  fill(*in, [](std::size_t i) { return randomNumber(i, 1) % bins; });
  std::vector<int> expected(bins);
  for (const int value : *in)
    ++expected[static_cast<std::size_t>(value)];
  Row row;
  row.ours = [=](const Library &library) {
    library.call(Arguments().container(in->data(), {n}).container(out->data(), {bins}));
  };
  row.peers = {
      {"OpenMP reduction", [=] { histogramByOpenMP(in->data(), n, out->data()); }},
      {"four copies by hand", [=] { histogramByHand(in->data(), n, out->data()); }},
      {"TBB", [=] { histogramByTBB(in->data(), n, out->data()); }},
  };
  row.restore = [=] { std::fill_n(out->data(), bins, 0); }; // all add to what is there
  row.forget = [] {};
  row.wrong = [=] { return firstDifference(out->data(), expected.data(), bins, 0); };
  return row;
}

Row makeCompact(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  auto in = std::make_shared<Array<int>>(n);
  auto out = std::make_shared<Array<int>>(n);
  auto kept = std::make_shared<unsigned>();
  fill(*in, [](std::size_t i) { return static_cast<int>(randomNumber(i, 1) % 2001) - 1000; });
  std::vector<int> expected;
  std::copy_if(in->begin(), in->end(), std::back_inserter(expected), [](int x) { return x > 0; });
  Row row;
  row.ours = [=](const Library &library) {
    library.call(
        Arguments().container(in->data(), {n}).container(out->data(), {n}).result(kept.get()));
  };
  row.peers = {
      {"std::copy_if(par_unseq)",
       [=] {
         int *end = std::copy_if(std::execution::par_unseq, in->begin(), in->end(), out->begin(),
                                 [](int x) { return x > 0; });
         *kept = static_cast<unsigned>(end - out->begin());
       }},
      {"two passes by hand", [=] { *kept = compactByHand(in->data(), n, out->data()); }},
  };
  row.forget = [=] {
    fill(*out, [](std::size_t) { return -1; });
    *kept = 0;
  };
  row.wrong = [=]() -> std::string {
    if (*kept != expected.size())
      return std::to_string(*kept) + " kept, expected " + std::to_string(expected.size());
    return firstDifference(out->data(), expected.data(), expected.size(), 0);
  };
  return row;
}

Row makeTranspose(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  auto in = std::make_shared<Array<float>>(n * n);
  auto out = std::make_shared<Array<float>>(n * n);
  fill(*in, [](std::size_t i) { return randomUnit(i, 1); });
  const auto size = static_cast<blasint>(n);
  Row row;
  row.bytes = 8.0 * static_cast<double>(n * n);
  row.ours = [=](const Library &library) {
    library.call(Arguments().container(in->data(), {n, n}).container(out->data(), {n, n}));
  };
  row.peers = {
      {"OpenBLAS somatcopy",
       [=] {
         cblas_somatcopy(CblasRowMajor, CblasTrans, size, size, 1, in->data(), size, out->data(),
                         size);
       }},
      {"blocks, OpenMP", [=] { transposeByOpenMP(in->data(), out->data(), n); }},
      {"blocks, TBB", [=] { transposeByTBB(in->data(), out->data(), n); }},
  };
  row.forget = [=] { fill(*out, [](std::size_t) { return -1; }); };
  row.wrong = [=]() -> std::string {
    // Blocks of rows are looked at side by side, each row of a block against a column.
    constexpr std::size_t block = 16;
    const std::size_t wrong = firstWrong(n / block + 1, [&](std::size_t part) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = part * block; j < std::min(n, (part + 1) * block); ++j) {
          if ((*out)[j * n + i] != (*in)[i * n + j])
            return true;
        }
      }
      return false;
    });
    return wrong > n / block ? "" : "a row from " + std::to_string(wrong * block) + " on differs";
  };
  return row;
}
