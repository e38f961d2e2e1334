// Convolutions with 17 by 17 weights.
#include "halide.h"
#include "stencils.h"

namespace {

constexpr std::size_t taps = 17;
constexpr std::size_t reach = taps / 2;
constexpr std::size_t block =
    64; ///< results of a row that are summed up side by side, in registers

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

/// By hand: the frame first, then blocks of results, whose sums stay in registers.
void convolveByHand(const float *in, const float *weights, float *out, std::size_t m,
                    std::size_t n) {
  const std::vector<float> frame = framed(in, m, n);
  const std::size_t width = n + taps - 1;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    const float *rows = frame.data() + i * width;
    float *to = out + i * n;
    std::size_t j = 0;
    for (; j + block <= n; j += block) {
      float sums[block] = {};
      for (std::size_t k = 0; k < taps; ++k) {
        for (std::size_t l = 0; l < taps; ++l) {
          const float weight = weights[k * taps + l];
          const float *from = rows + k * width + j + l;
          for (std::size_t b = 0; b < block; ++b)
            sums[b] += weight * from[b];
        }
      }
      std::copy(sums, sums + block, to + j);
    }
    for (; j < n; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < taps; ++k) {
        for (std::size_t l = 0; l < taps; ++l)
          sum += weights[k * taps + l] * rows[k * width + j + l];
      }
      to[j] = sum;
    }
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
#pragma omp simd
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t k = 0; k < taps; ++k)
          sum += column[k] * from[k][j];
        down[j + reach] = sum;
      }
      std::fill(down, down + reach, down[reach]);
      std::fill(down + reach + n, down + n + taps - 1, down[reach + n - 1]);
      float *to = out + i * n;
#pragma omp simd
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t k = 0; k < taps; ++k)
          sum += row[k] * down[j + k];
        to[j] = sum;
      }
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
