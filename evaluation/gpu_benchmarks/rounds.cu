// LU decomposition without pivoting and Needleman-Wunsch by hand, both tile by tile:
//   rounds lud REPEATS N          of a matrix whose diagonal dominates, in place
//   rounds nw REPEATS N,M         table[i + j][i]: of the first i letters of one and the first j of the other
#include "../harness/cuda/peer.h"
#include "../harness/matrices.h"

#include <memory>

namespace {

// ---------------------------------------------------------------------------
// LU decomposition: a block of the diagonal, its row and column of blocks, then all blocks below
// ---------------------------------------------------------------------------

constexpr int side = 32, tall = 8; ///< of a block; threads of the inner kernel go down in steps

/// A block of the matrix: past its end it is that of the identity.
__device__ float numberAt(const float *a, int n, int i, int j) {
  return i < n && j < n ? a[static_cast<std::size_t>(i) * n + j] : i == j ? 1.0F : 0.0F;
}

__global__ void __launch_bounds__(side *side) diagonalKernel(float *a, int n, int first) {
  __shared__ float block[side][side + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  block[y][x] = numberAt(a, n, first + y, first + x);
  __syncthreads();
  for (int p = 0; p + 1 < side; ++p) {
    if (x == p && y > p)
      block[y][p] /= block[p][p];
    __syncthreads();
    if (x > p && y > p)
      block[y][x] -= block[y][p] * block[p][x];
    __syncthreads();
  }
  if (first + y < n && first + x < n)
    a[static_cast<std::size_t>(first + y) * n + first + x] = block[y][x];
}

/// Blocks to the right (blockIdx.y is 0) and below (1) of that of the diagonal.
__global__ void __launch_bounds__(side *side) edgeKernel(float *a, int n, int first) {
  __shared__ float done[side][side + 1], block[side][side + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const bool below = blockIdx.y == 1;
  const int other = first + side * (1 + static_cast<int>(blockIdx.x));
  const int top = below ? other : first, left = below ? first : other;
  done[y][x] = numberAt(a, n, first + y, first + x);
  block[y][x] = numberAt(a, n, top + y, left + x);
  __syncthreads();
  for (int p = 0; p < side; ++p) {
    if (below && x == p)
      block[y][p] /= done[p][p];
    __syncthreads();
    if (below ? x > p : y > p)
      block[y][x] -= below ? block[y][p] * done[p][x] : done[y][p] * block[p][x];
    __syncthreads();
  }
  if (top + y < n && left + x < n)
    a[static_cast<std::size_t>(top + y) * n + left + x] = block[y][x];
}

__global__ void __launch_bounds__(side *tall) innerKernel(float *a, int n, int first) {
  __shared__ float lower[side][side], upper[side][side];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int top = first + side * (1 + static_cast<int>(blockIdx.y)), left = first + side * (1 + static_cast<int>(blockIdx.x));
  float own[side / tall];
#pragma unroll
  for (int r = 0; r < side / tall; ++r) {
    const int i = y + r * tall;
    lower[i][x] = numberAt(a, n, top + i, first + x);
    upper[i][x] = numberAt(a, n, first + i, left + x);
    own[r] = numberAt(a, n, top + i, left + x);
  }
  __syncthreads();
#pragma unroll
  for (int p = 0; p < side; ++p) {
#pragma unroll
    for (int r = 0; r < side / tall; ++r)
      own[r] -= lower[y + r * tall][p] * upper[p][x];
  }
#pragma unroll
  for (int r = 0; r < side / tall; ++r) {
    const int i = y + r * tall;
    if (top + i < n && left + x < n)
      a[static_cast<std::size_t>(top + i) * n + left + x] = own[r];
  }
}

Problem lud(int n) {
  const std::vector<float> values = dominantMatrix<float>(static_cast<std::size_t>(n));
  const auto given = std::make_shared<Buffer<float>>(values), a = std::make_shared<Buffer<float>>(values.size());
  std::vector<double> expected(values.begin(), values.end());
  for (int k = 0; k + 1 < n; ++k) {
    const double *pivot = expected.data() + static_cast<std::size_t>(k) * n;
#pragma omp parallel for schedule(static)
    for (int i = k + 1; i < n; ++i) {
      double *row = expected.data() + static_cast<std::size_t>(i) * n;
      row[k] /= pivot[k];
      for (int j = k + 1; j < n; ++j)
        row[j] -= row[k] * pivot[j];
    }
  }
  const auto decompose = [=] {
    for (int first = 0; first < n; first += side) {
      const unsigned left = partsOf(static_cast<std::size_t>(n - first), side) - 1;
      launch(diagonalKernel, 1, dim3(side, side), a->data(), n, first);
      if (left == 0)
        break;
      launch(edgeKernel, dim3(left, 2), dim3(side, side), a->data(), n, first);
      launch(innerKernel, dim3(left, left), dim3(side, tall), a->data(), n, first);
    }
  };
  return {{{"blocks of 32 x 32", decompose}},
          [=](const std::string &how) { expectAll(how, *a, expected, 1e-4); },
          [=] {
            CHECK(cudaMemcpyAsync(a->data(), given->data(), a->size() * sizeof(float), cudaMemcpyDeviceToDevice));
          }};
}

// ---------------------------------------------------------------------------
// Needleman-Wunsch: a warp has a tile, a lane a row of it; antidiagonals of tiles follow each other
// ---------------------------------------------------------------------------

constexpr float same = 3, other = -1, gap = -2;
constexpr int warp = 32, length = 64; ///< rows and columns of a tile

/// All zeros, but along the borders.
__global__ void borderKernel(float *table, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), d = static_cast<int>(blockIdx.y);
  if (i <= n)
    table[static_cast<std::size_t>(d) * (n + 1) + i] = (i == 0 && d <= m) || i == d ? static_cast<float>(d) * gap : 0.0F;
}

/// Tile t - s of the rows and s of the columns, where s is first + blockIdx.x. What a lane needs of the row
/// above its own is the last that its neighbour has computed, and the one before that.
__global__ void __launch_bounds__(warp)
    tileKernel(const char *__restrict__ a, const char *__restrict__ b, float *table, int n, int m, int t, int first) {
  __shared__ float above[length + 1];
  __shared__ char letters[length];
  const int s = first + static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x);
  const int top = 1 + (t - s) * warp, left = 1 + s * length, i = top + lane;
  const auto at = [&](int row, int column) -> float & {
    return table[static_cast<std::size_t>(row + column) * (n + 1) + row];
  };
  for (int k = lane; k <= length; k += warp) {
    if (left - 1 + k <= m)
      above[k] = at(top - 1, left - 1 + k);
    if (k < length && left + k <= m)
      letters[k] = b[left - 1 + k];
  }
  const char own = i <= n ? a[i - 1] : 0;
  float score = i <= n ? at(i, left - 1) : 0;
  __syncwarp();
  float corner = lane == 0 ? above[0] : 0;
  for (int step = 0; step < length + warp - 1; ++step) {
    const int k = step - lane;
    const bool mine = k >= 0 && k < length && i <= n && left + k <= m;
    float side = __shfl_up_sync(0xffffffffU, score, 1);
    if (lane == 0)
      side = step < length ? above[step + 1] : 0;
    if (mine) {
      score = fmaxf(corner + (own == letters[k] ? same : other), fmaxf(side, score) + gap);
      at(i, left + k) = score;
    }
    corner = side;
  }
}

Problem nw(int n, int m) {
  const auto a = valuesOf<char>(static_cast<std::size_t>(n), [](std::uint64_t i) { return "ACGT"[(i * 7 + i / 3) % 4]; });
  const auto b = valuesOf<char>(static_cast<std::size_t>(m), [](std::uint64_t i) { return "ACGT"[(i * 5 + i / 7) % 4]; });
  const std::size_t width = static_cast<std::size_t>(n) + 1;
  const auto first = std::make_shared<Buffer<char>>(a), second = std::make_shared<Buffer<char>>(b);
  const auto table = std::make_shared<Buffer<float>>((static_cast<std::size_t>(n) + m + 1) * width);
  std::vector<double> expected(table->size());
  for (int d = 0; d <= n + m; ++d) {
    for (int i = std::max(0, d - m); i <= std::min(d, n); ++i) {
      double *here = expected.data() + static_cast<std::size_t>(d) * width + i;
      *here = i == 0 || i == d ? double(d) * gap
                               : std::max(*(here - 2 * width - 1) + (a[i - 1] == b[d - i - 1] ? same : other),
                                          std::max(*(here - width - 1), *(here - width)) + gap);
    }
  }
  const auto align = [=] {
    launch(borderKernel, dim3(partsOf(width, 256), static_cast<unsigned>(n + m + 1)), 256, table->data(), n, m);
    const int rows = static_cast<int>(partsOf(n, warp)), columns = static_cast<int>(partsOf(m, length));
    for (int t = 0; t < rows + columns - 1; ++t) {
      const int from = std::max(0, t - rows + 1), to = std::min(t, columns - 1);
      launch(tileKernel, static_cast<unsigned>(to - from + 1), warp, first->data(), second->data(), table->data(), n, m,
             t, from);
    }
  };
  return {{{"tiles of 32 x 64", align}},
          [=](const std::string &how) { expectAll(how, *table, expected, 1e-6); },
          {},
          [=] { forget(*table); }};
}

} // namespace

int main(int argc, char **argv) {
  const std::string row = argc == 4 ? argv[1] : "";
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto repeats = static_cast<unsigned>(argc == 4 ? std::atoi(argv[2]) : 0);
  const auto number = [&](std::size_t i) { return std::atoi(sizes[i].c_str()); };
  if (row == "lud" && sizes.size() == 1) {
    for (const int n : {1, 2, 33, 97})
      judge(lud(n));
    measure(repeats, lud(number(0)));
  } else if (row == "nw" && sizes.size() == 2) {
    for (const auto &[n, m] : {std::pair(1, 1), std::pair(33, 70), std::pair(200, 31)})
      judge(nw(n, m));
    measure(repeats, nw(number(0), number(1)));
  } else {
    fail(2, "rounds lud REPEATS N | rounds nw REPEATS N,M");
  }
  return 0;
}
