// PolyBench's medley by hand: rows, blocks of columns or a diagonal in parallel.
#include "call.h"

#include <array>

extern "C" {

void floyd_warshall(const Call &call) {
  const Matrix<std::int32_t> path = call.matrix<std::int32_t>(0);
  for (std::size_t k = 0; k < path.rows; ++k) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < path.rows; ++i) {
      const std::int32_t there = path[i][k];
      std::int32_t *row = path[i];
      const std::int32_t *via = path[k];
      if (i == k)
        continue;
#pragma omp simd
      for (std::size_t j = 0; j < path.columns; ++j)
        row[j] = std::min(row[j], there + via[j]);
    }
  }
}

// Those of a diagonal in parallel; columns are kept as rows of a second table, too.
void nussinov(const Call &call) {
  const Vector<std::int32_t> bases = call.vector<std::int32_t>(0);
  const Matrix<std::int32_t> table = call.matrix<std::int32_t>(1);
  const std::size_t n = bases.size;
  std::vector<std::int32_t> copy(n * n);
  const Matrix<std::int32_t> columns{copy.data(), n, n};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      columns[j][i] = table[i][j];
  }
  for (std::size_t far = 1; far < n; ++far) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n - far; ++i) {
      const std::size_t j = i + far;
      std::int32_t most = std::max({table[i][j], table[i][j - 1], table[i + 1][j]});
      most = std::max(most, table[i + 1][j - 1] + (far > 1 && bases[i] + bases[j] == 3 ? 1 : 0));
      const std::int32_t *row = table[i], *column = columns[j] + 1;
#pragma omp simd reduction(max : most)
      for (std::size_t k = i + 1; k < j; ++k)
        most = std::max(most, row[k] + column[k]);
      table[i][j] = most;
      columns[j][i] = most;
    }
  }
}

void deriche(const Call &call) {
  const float alpha = static_cast<float>(call.numbers[0]);
  const Matrix<float> in = call.matrix<float>(0), first = call.matrix<float>(1);
  const Matrix<float> second = call.matrix<float>(2), out = call.matrix<float>(3);
  const std::size_t rows = in.rows, columns = in.columns;
  const float decay = std::exp(-alpha);
  const float k = (1 - decay) * (1 - decay) / (1 + 2 * alpha * decay - std::exp(2 * alpha));
  const float a2 = k * decay * (alpha - 1), a3 = k * decay * (alpha + 1), a4 = -k * decay * decay;
  const float b1 = std::exp2(-alpha), b2 = -decay * decay;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const float y = k * in[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
      first[i][j] = y;
      x1 = in[i][j], y2 = y1, y1 = y;
    }
    x1 = x2 = y1 = y2 = 0;
    for (std::size_t j = columns; j-- > 0;) {
      const float y = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
      second[i][j] = y;
      x2 = x1, x1 = in[i][j], y2 = y1, y1 = y;
    }
    for (std::size_t j = 0; j < columns; ++j)
      out[i][j] = first[i][j] + second[i][j];
  }
  constexpr std::size_t block = 32; // columns that go down together
#pragma omp parallel for schedule(static)
  for (std::size_t left = 0; left < columns; left += block) {
    const std::size_t width = std::min(block, columns - left);
    std::array<float, block> x1{}, x2{}, y1{}, y2{};
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < width; ++c) {
        const float y = k * out[i][left + c] + a2 * x1[c] + b1 * y1[c] + b2 * y2[c];
        first[i][left + c] = y;
        x1[c] = out[i][left + c], y2[c] = y1[c], y1[c] = y;
      }
    }
    x1 = x2 = y1 = y2 = {};
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t c = 0; c < width; ++c) {
        const float y = a3 * x1[c] + a4 * x2[c] + b1 * y1[c] + b2 * y2[c];
        second[i][left + c] = y;
        x2[c] = x1[c], x1[c] = out[i][left + c], y2[c] = y1[c], y1[c] = y;
        out[i][left + c] = first[i][left + c] + y;
      }
    }
  }
}
}
