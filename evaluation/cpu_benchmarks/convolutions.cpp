// Convolutions with 17 by 17 weights.
#include "halide.h"
#include "stencils.h"
#include "vectors.h"

namespace {

constexpr std::size_t taps = 17;
constexpr std::size_t reach = taps / 2;

// Results that are summed up side by side, in registers.
#ifdef __AVX512F__
constexpr std::size_t vectors = 4;
#else
constexpr std::size_t vectors = 2;
#endif
constexpr std::size_t block = vectors * lanes, tall = 4;

/// The matrix with its last elements once more around it.
std::vector<float> framed(const float *in, std::size_t m, std::size_t n) {
  const std::size_t width = n + taps - 1;
  std::vector<float> out((m + taps - 1) * width);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m + taps - 1; ++i) {
    const float *row = in + std::min(std::max(i, reach) - reach, m - 1) * n;
    float *to = out.data() + i * width;
    std::fill(to, to + reach, row[0]);
    std::copy(row, row + n, to + reach);
    std::fill(to + reach + n, to + width, row[n - 1]);
  }
  return out;
}

/// Adds what a row of the frame has for results [first, last] of `tall` rows: `weights` are those of the first one.
template <std::size_t first, std::size_t last>
[[gnu::always_inline]] inline void addRow(const float *row, const float *weights,
                                          Vector (&sums)[tall][vectors]) {
  for (std::size_t l = 0; l < taps; ++l) {
    Vector from[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v)
      from[v] = vectorAt(row + l + v * lanes);
#pragma GCC unroll 4
    for (std::size_t r = first; r <= last; ++r) {
      const float weight = *(weights + l - static_cast<std::ptrdiff_t>((r - first) * taps));
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v)
        sums[r][v] += weight * from[v];
    }
  }
}

/// Four rows of results, a block wide.
void convolveBlock(const float *rows, std::size_t width, const float *weights, float *to,
                   std::size_t n) {
  Vector sums[tall][vectors] = {};
  const auto row = [&](std::size_t k) { return rows + k * width; };
  addRow<0, 0>(row(0), weights, sums);
  addRow<0, 1>(row(1), weights + taps, sums);
  addRow<0, 2>(row(2), weights + 2 * taps, sums);
  for (std::size_t k = tall - 1; k < taps; ++k)
    addRow<0, 3>(row(k), weights + k * taps, sums);
  const float *last = weights + (taps - 1) * taps;
  addRow<1, 3>(row(taps), last, sums);
  addRow<2, 3>(row(taps + 1), last, sums);
  addRow<3, 3>(row(taps + 2), last, sums);
  for (std::size_t r = 0; r < tall; ++r) {
    for (std::size_t v = 0; v < vectors; ++v)
      putVector(to + r * n + v * lanes, sums[r][v]);
  }
}

/// By hand: the frame first, then blocks of results, whose sums stay in registers.
void convolveByHand(const float *in, const float *weights, float *out, std::size_t m,
                    std::size_t n) {
  const std::vector<float> frame = framed(in, m, n);
  const std::size_t width = n + taps - 1;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; i += tall) {
    const float *rows = frame.data() + i * width;
    std::size_t j = 0;
    for (; i + tall <= m && j + block <= n; j += block)
      convolveBlock(rows + j, width, weights, out + i * n + j, n);
    for (std::size_t r = i; r < std::min(m, i + tall); ++r) {
      for (std::size_t e = j; e < n; ++e) {
        float sum = 0;
        for (std::size_t k = 0; k < taps; ++k) {
          for (std::size_t l = 0; l < taps; ++l)
            sum += weights[k * taps + l] * rows[(r - i + k) * width + e + l];
        }
        out[r * n + e] = sum;
      }
    }
  }
}

/// to[j] = the sum of weights[k] * from(k)[j], of n results; blocks of them stay in registers.
template <class From>
[[gnu::always_inline]] inline void weighted(const float *weights, const From &from, float *to,
                                            std::size_t n) {
  std::size_t j = 0;
  for (; j + block <= n; j += block) {
    Vector sums[vectors] = {};
    for (std::size_t k = 0; k < taps; ++k) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v)
        sums[v] += weights[k] * vectorAt(from(k) + j + v * lanes);
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v)
      putVector(to + j + v * lanes, sums[v]);
  }
  for (; j < n; ++j) {
    to[j] = 0;
    for (std::size_t k = 0; k < taps; ++k)
      to[j] += weights[k] * from(k)[j];
  }
}

/// By hand: each row of results is the sum of 17 rows, in a buffer that stays in the cache with its ends
/// repeated, and then across.
void separableByHand(const float *in, const float *column, const float *row, float *out,
                     std::size_t m, std::size_t n) {
  const Rows<Edge::Clamp, float> rows(in, m, n);
#pragma omp parallel
  {
    std::vector<float> buffer(n + taps - 1);
    float *down = buffer.data();
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < m; ++i) {
      const float *from[taps];
      for (std::size_t k = 0; k < taps; ++k)
        from[k] = rows(static_cast<std::ptrdiff_t>(i + k) - static_cast<std::ptrdiff_t>(reach));
      weighted(column, [&](std::size_t k) { return from[k]; }, down + reach, n);
      std::fill(down, down + reach, down[reach]);
      std::fill(down + reach + n, down + n + taps - 1, down[reach + n - 1]);
      weighted(row, [&](std::size_t k) { return down + k; }, out + i * n, n);
    }
  }
}

template <class Weight>
std::vector<double> inDouble(const Array<float> &in, std::size_t m, std::size_t n,
                             const Weight &weight) {
  std::vector<double> out(m * n);
  const std::vector<float> frame = framed(in.data(), m, n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < taps; ++k) {
      for (std::size_t l = 0; l < taps; ++l) {
        const double w = weight(k, l);
        for (std::size_t j = 0; j < n; ++j)
          out[i * n + j] += w * double(frame[(i + k) * (n + taps - 1) + j + l]);
      }
    }
  }
  return out;
}

} // namespace

Row makeConvolve(const Words &sizes) {
  const std::size_t m = sizeAt(sizes, 0);
  const std::size_t n = sizeAt(sizes, 1);
  auto in = numbers(m * n, 1);
  auto weights = numbers(taps * taps, 2);
  auto out = std::make_shared<Array<float>>(m * n);
  Row row;
  row.operations = 2.0 * taps * taps * static_cast<double>(m * n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(in->data(), {m, n})
                     .container(weights->data(), {taps, taps})
                     .container(out->data(), {m, n}));
  };
  row.peers = {{"OpenMP", [=] { convolveByHand(in->data(), weights->data(), out->data(), m, n); }}};
  addHalide(row, "convolve", {},
            {{in->data(), {m, n}}, {weights->data(), {taps, taps}}, {out->data(), {m, n}}});
  judge(row, out,
        inDouble(*in, m, n,
                 [w = weights->data()](std::size_t k, std::size_t l) {
                   return double(w[k * taps + l]);
                 }),
        1e-3);
  return row;
}

Row makeSeparable(const Words &sizes) {
  const std::size_t m = sizeAt(sizes, 0);
  const std::size_t n = sizeAt(sizes, 1);
  auto in = numbers(m * n, 1);
  auto column = numbers(taps, 2);
  auto across = numbers(taps, 3);
  auto out = std::make_shared<Array<float>>(m * n);
  Row row;
  row.operations = 4.0 * taps * static_cast<double>(m * n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(in->data(), {m, n})
                     .container(column->data(), {taps})
                     .container(across->data(), {taps})
                     .container(out->data(), {m, n}));
  };
  row.peers = {{"OpenMP", [=] {
                  separableByHand(in->data(), column->data(), across->data(), out->data(), m, n);
                }}};
  addHalide(row, "separable", {},
            {{in->data(), {m, n}},
             {column->data(), {taps}},
             {across->data(), {taps}},
             {out->data(), {m, n}}});
  judge(row, out,
        inDouble(*in, m, n,
                 [v = column->data(), h = across->data()](std::size_t k, std::size_t l) {
                   return double(v[k]) * double(h[l]);
                 }),
        1e-3);
  return row;
}
