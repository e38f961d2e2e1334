// LU decomposition without pivoting, in place.
#include "stencils.h"
#include "vectors.h"

#include <cblas.h>

namespace {

constexpr std::size_t block = 64; ///< columns that are taken out of the rest together

constexpr std::size_t tall = 6, wide = 2 * lanes; ///< of what stays in registers

/// A block on the diagonal: n rows of a matrix of rows of `width`.
void decomposeSmall(float *a, std::size_t width, std::size_t n) {
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const float *pivot = a + k * width;
    for (std::size_t i = k + 1; i < n; ++i) {
      float *row = a + i * width;
      const float factor = row[k] / pivot[k];
      row[k] = factor;
#pragma omp simd
      for (std::size_t j = k + 1; j < n; ++j)
        row[j] -= factor * pivot[j];
    }
  }
}

/// Rows [from, to) of what is to the right of a block, in columns [first, last): by rows of the block above them.
void solveRight(const float *a, float *right, std::size_t width, std::size_t size,
                std::size_t first, std::size_t last) {
  for (std::size_t i = 1; i < size; ++i) {
    float *row = right + i * width;
    for (std::size_t k = 0; k < i; ++k) {
      const float factor = a[i * width + k];
      const float *above = right + k * width;
#pragma omp simd
      for (std::size_t j = first; j < last; ++j)
        row[j] -= factor * above[j];
    }
  }
}

/// A row below a block.
void solveBelow(const float *a, float *row, std::size_t width, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    const float *pivot = a + k * width;
    row[k] /= pivot[k];
    const float factor = row[k];
#pragma omp simd
    for (std::size_t j = k + 1; j < size; ++j)
      row[j] -= factor * pivot[j];
  }
}

/// c -= left * packed, of six rows and two vectors: `packed` has rows of `wide` numbers, one behind the other.
void subtractTile(const float *left, const float *packed, float *c, std::size_t width,
                  std::size_t depth) {
  Vector sums[tall][2] = {};
  for (std::size_t p = 0; p < depth; ++p) {
    const Vector first = vectorAt(packed + p * wide), second = vectorAt(packed + p * wide + lanes);
#pragma GCC unroll 6
    for (std::size_t r = 0; r < tall; ++r) {
      sums[r][0] += left[r * width + p] * first;
      sums[r][1] += left[r * width + p] * second;
    }
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < tall; ++r) {
#pragma omp simd
    for (std::size_t j = 0; j < lanes; ++j) {
      c[r * width + j] -= sums[r][0][j];
      c[r * width + lanes + j] -= sums[r][1][j];
    }
  }
}

/// rest -= below * right, of `rows` rows and `columns` columns: parts of both are shared out among threads, which pack
/// their part of `right`.
void subtractProduct(const float *below, const float *right, float *rest, std::size_t width,
                     std::size_t depth, std::size_t rows, std::size_t columns) {
  constexpr std::size_t down = 20 * tall, across = 2 * wide;
#pragma omp for collapse(2) schedule(dynamic)
  for (std::size_t top = 0; top < rows; top += down) {
    for (std::size_t left = 0; left < columns; left += across) {
      const std::size_t bottom = std::min(rows, top + down);
      for (std::size_t j = left; j < std::min(columns, left + across); j += wide) {
        const std::size_t count = std::min(wide, columns - j);
        alignas(64) float packed[block * wide];
        for (std::size_t p = 0; p < depth; ++p)
          std::copy(right + p * width + j, right + p * width + j + count, packed + p * wide);
        std::size_t i = top;
        for (; count == wide && i + tall <= bottom; i += tall)
          subtractTile(below + i * width, packed, rest + i * width + j, width, depth);
        for (; i < bottom; ++i) {
          for (std::size_t p = 0; p < depth; ++p) {
#pragma omp simd
            for (std::size_t k = 0; k < count; ++k)
              rest[i * width + j + k] -= below[i * width + p] * packed[p * wide + k];
          }
        }
      }
    }
  }
}

void decomposeByHand(float *a, std::size_t n) {
#pragma omp parallel
  for (std::size_t k = 0; k < n; k += block) {
    const std::size_t size = std::min(block, n - k);
    float *corner = a + k * n + k;
#pragma omp single
    decomposeSmall(corner, n, size);
    const std::size_t left = n - k - size;
#pragma omp for schedule(static) nowait
    for (std::size_t j = 0; j < left; j += block)
      solveRight(corner, corner + size, n, size, j, std::min(j + block, left));
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < left; ++i)
      solveBelow(corner, corner + (size + i) * n, n, size);
    subtractProduct(corner + size * n, corner + size, corner + size * n + size, n, size, left,
                    left);
  }
}

/// Blocks by hand, the rest by triangular systems and products of OpenBLAS.
void decomposeByOpenBLAS(float *a, std::size_t n) {
  const auto width = static_cast<blasint>(n);
  for (std::size_t k = 0; k < n; k += block) {
    const std::size_t size = std::min(block, n - k);
    float *corner = a + k * n + k;
    decomposeSmall(corner, n, size);
    const auto done = static_cast<blasint>(size), left = static_cast<blasint>(n - k - size);
    if (left == 0)
      break;
    float *right = corner + size, *below = corner + size * n;
    cblas_strsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, done, left, 1,
                corner, width, right, width);
    cblas_strsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, left, done, 1,
                corner, width, below, width);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, left, left, done, -1, below, width,
                right, width, 1, below + size, width);
  }
}

} // namespace

Row makeLud(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  // Its diagonal dominates.
  auto given = numbers(n * n, 1);
  for (std::size_t i = 0; i < n; ++i)
    (*given)[i * n + i] = static_cast<float>(n);
  auto a = std::make_shared<Array<float>>(n * n);
  std::vector<double> expected(given->begin(), given->end());
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double *pivot = expected.data() + k * n;
#pragma omp parallel for schedule(static)
    for (std::size_t i = k + 1; i < n; ++i) {
      double *row = expected.data() + i * n;
      row[k] /= pivot[k];
      for (std::size_t j = k + 1; j < n; ++j)
        row[j] -= row[k] * pivot[j];
    }
  }
  Row row;
  row.operations = 2.0 / 3 * static_cast<double>(n) * static_cast<double>(n * n);
  row.ours = [=](const Library &library) {
    library.call(Arguments().container(a->data(), {n, n}));
  };
  row.peers = {{"OpenMP, by blocks", [=] { decomposeByHand(a->data(), n); }},
               {"OpenBLAS, by blocks", [=] { decomposeByOpenBLAS(a->data(), n); }}};
  row.restore = [=] { std::copy(given->begin(), given->end(), a->data()); };
  // Elements of U are about 1 and those of L about 1 / n; the diagonal is about n.
  row.forget = [=] { fill(*a, [](std::size_t) { return 77; }); };
  row.wrong = [=, truth =
                      std::make_shared<std::vector<double>>(std::move(expected))]() -> std::string {
    const std::size_t wrong = firstWrong(n * n, [&](std::size_t e) {
      const double least = e / n <= e % n ? 1 : 1 / static_cast<double>(n);
      const double bound = 1e-5 * std::max(std::abs((*truth)[e]), least);
      return !(std::abs(double((*a)[e]) - (*truth)[e]) <= bound);
    });
    return wrong == n * n
               ? ""
               : "element " + std::to_string(wrong) + " is " + std::to_string((*a)[wrong]) +
                     ", expected " + std::to_string((*truth)[wrong]);
  };
  return row;
}
