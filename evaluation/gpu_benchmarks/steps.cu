// Steps one after the other, by hand:
//   steps lbm REPEATS ROWS,COLUMNS,STEPS      of a lattice Boltzmann method, D2Q9, in place
//   steps heat_steps REPEATS N,STEPS          of the heat equation on a rod with insulated ends
#include "../harness/cuda/peer.h"
#include "../harness/matrices.h"

#include <memory>

namespace {

constexpr int block = 256;

// ---------------------------------------------------------------------------
// LBM: a thread a cell, from one lattice into another
// ---------------------------------------------------------------------------

constexpr float omega = 0.8F;

/// Directions as codelets/lbm.cpp has them: rest, east, south, southeast, southwest, and the opposites of the last four.
/// `from` has what arrives at a cell; `to` is what leaves it.
template <class T> __host__ __device__ void collide(T rate, bool wall, const T (&from)[9], T (&to)[9]) {
  const T e = from[1], s = from[2], se = from[3], sw = from[4], w = from[5], n = from[6], nw = from[7], ne = from[8];
  const T density = from[0] + e + s + se + sw + w + n + nw + ne;
  const T x = (e - w) + (se - nw) + (ne - sw), y = (s - n) + (se - nw) + (sw - ne);
  const T still = density - T(1.5) * (x * x + y * y);
  const T along[9] = {0, x, y, x + y, y - x, -x, -y, -x - y, x - y};
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const T weight = k == 0 ? T(4) / 9 : k == 3 || k == 4 || k > 6 ? T(1) / 36 : T(1) / 9;
    const T back = from[k == 0 ? 0 : k < 5 ? k + 4 : k - 4];
    to[k] = wall ? back : from[k] + rate * (weight * (still + along[k] * (3 + T(4.5) * along[k])) - from[k]);
  }
}

/// A cell's step; the lattice goes round.
template <class T>
__host__ __device__ void stepOf(T rate, const int *wall, const T *in, T *out, int m, int n, int i, int j) {
  const std::size_t plane = static_cast<std::size_t>(m) * n;
  const int up = i == 0 ? m - 1 : i - 1, down = i + 1 == m ? 0 : i + 1;
  const int left = j == 0 ? n - 1 : j - 1, right = j + 1 == n ? 0 : j + 1;
  const int rows[9] = {i, i, up, up, up, i, down, down, down};
  const int columns[9] = {j, left, j, left, right, right, j, right, left};
  T from[9], to[9];
#pragma unroll
  for (int k = 0; k < 9; ++k)
    from[k] = in[k * plane + static_cast<std::size_t>(rows[k]) * n + columns[k]];
  const std::size_t own = static_cast<std::size_t>(i) * n + j;
  collide(rate, wall[own] != 0, from, to);
#pragma unroll
  for (int k = 0; k < 9; ++k)
    out[k * plane + own] = to[k];
}

__global__ void __launch_bounds__(block)
    latticeKernel(const int *__restrict__ wall, const float *__restrict__ in, float *__restrict__ out, int m, int n) {
  const int i = static_cast<int>(blockIdx.y), j = static_cast<int>(blockIdx.x * block + threadIdx.x);
  if (j < n)
    stepOf(omega, wall, in, out, m, n, i, j);
}

Problem lbm(int m, int n, int steps) {
  const Lattice<float> lattice = latticeOf<float>(static_cast<std::size_t>(m), static_cast<std::size_t>(n));
  const auto wall = std::make_shared<Buffer<int>>(lattice.wall);
  const auto given = std::make_shared<Buffer<float>>(lattice.cells);
  const auto cells = std::make_shared<Buffer<float>>(lattice.cells.size()), others = std::make_shared<Buffer<float>>(lattice.cells.size());
  std::vector<double> expected(lattice.cells.begin(), lattice.cells.end()), next(expected.size());
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j)
        stepOf(double(omega), lattice.wall.data(), expected.data(), next.data(), m, n, i, j);
    }
    std::swap(expected, next);
  }
  const auto run = [=] {
    for (int step = 0; step < steps; ++step) {
      const bool even = step % 2 == 0;
      launch(latticeKernel, dim3(partsOf(static_cast<std::size_t>(n), block), static_cast<unsigned>(m)), block, wall->data(),
             even ? cells->data() : others->data(), even ? others->data() : cells->data(), m, n);
    }
    if (steps % 2 != 0)
      CHECK(cudaMemcpyAsync(cells->data(), others->data(), cells->size() * sizeof(float), cudaMemcpyDeviceToDevice));
  };
  return {{{"a thread a cell", run}},
          [=](const std::string &how) { expectAll(how, *cells, expected, 1e-5); },
          [=] {
            CHECK(cudaMemcpyAsync(cells->data(), given->data(), cells->size() * sizeof(float), cudaMemcpyDeviceToDevice));
          }};
}

// ---------------------------------------------------------------------------
// Heat: a kernel a step, or 16 steps of a warp, whose halo shrinks by an element a step
// ---------------------------------------------------------------------------

constexpr float conduction = 0.1F;

template <class T> __host__ __device__ T heatAt(T left, T own, T right) { return own + T(conduction) * (left - 2 * own + right); }

__global__ void __launch_bounds__(block) heatKernel(const float *__restrict__ in, float *__restrict__ out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i < n)
    out[i] = heatAt(in[i > 0 ? i - 1 : i], in[i], in[i + 1 < n ? i + 1 : i]);
}

constexpr int warp = 32, each = 8, mostSteps = 16; ///< elements of a lane; steps of a kernel
constexpr int valid = warp * each - 2 * mostSteps; ///< of a warp's elements

/// Elements of a lane follow each other; past the ends of the rod it does not matter what they are.
__global__ void __launch_bounds__(block)
    heatTilesKernel(const float *__restrict__ in, float *__restrict__ out, std::ptrdiff_t n, int steps) {
  const std::ptrdiff_t tile = std::ptrdiff_t{blockIdx.x} * (block / warp) + threadIdx.x / warp;
  const std::ptrdiff_t begin = tile * valid, first = begin - mostSteps + static_cast<std::ptrdiff_t>(threadIdx.x % warp) * each;
  float own[each];
#pragma unroll
  for (int k = 0; k < each; ++k)
    own[k] = first + k >= 0 && first + k < n ? in[first + k] : 0;
  for (int step = 0; step < steps; ++step) {
    float left = __shfl_up_sync(0xffffffffU, own[each - 1], 1);
    const float right = __shfl_down_sync(0xffffffffU, own[0], 1);
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const float here = own[k], next = k + 1 < each ? own[k + 1 < each ? k + 1 : k] : right;
      own[k] = heatAt(first + k == 0 ? here : left, here, first + k + 1 == n ? here : next);
      left = here;
    }
  }
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const std::ptrdiff_t i = first + k;
    if (i >= begin && i < begin + valid && i < n)
      out[i] = own[k];
  }
}

Problem heatSteps(std::size_t n, int steps) {
  const std::vector<float> values = numbers(n, 1);
  const auto in = std::make_shared<Buffer<float>>(values);
  const auto between = std::make_shared<Buffer<float>>(n), out = std::make_shared<Buffer<float>>(n);
  std::vector<double> expected(values.begin(), values.end()), next(n);
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i)
      next[i] = heatAt(expected[i > 0 ? i - 1 : i], expected[i], expected[i + 1 < n ? i + 1 : i]);
    std::swap(expected, next);
  }
  // Rounds of at most `most` steps; the last one writes `out`.
  const auto rounds = [=](int most, const auto &round) {
    const int count = (steps + most - 1) / most;
    if (count == 0)
      CHECK(cudaMemcpyAsync(out->data(), in->data(), n * sizeof(float), cudaMemcpyDeviceToDevice));
    const float *from = in->data();
    for (int r = 0; r < count; ++r) {
      float *to = (count - r) % 2 != 0 ? out->data() : between->data();
      round(from, to, std::min(most, steps - r * most));
      from = to;
    }
  };
  const auto oneByOne = [=] {
    rounds(1, [=](const float *from, float *to, int) { launch(heatKernel, partsOf(n, block), block, from, to, n); });
  };
  const auto inTiles = [=] {
    rounds(mostSteps, [=](const float *from, float *to, int some) {
      launch(heatTilesKernel, partsOf(n, std::size_t{valid} * (block / warp)), block, from, to, n, some);
    });
  };
  return {{{"a kernel a step", oneByOne}, {"16 steps of a warp in registers", inTiles}},
          [=](const std::string &how) { expectAll(how, *out, expected, 1e-5); },
          {},
          [=] { forget(*out); }};
}

} // namespace

int main(int argc, char **argv) {
  const std::string row = argc == 4 ? argv[1] : "";
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto repeats = static_cast<unsigned>(argc == 4 ? std::atoi(argv[2]) : 0);
  const auto number = [&](std::size_t i) { return std::atoi(sizes[i].c_str()); };
  if (row == "lbm" && sizes.size() == 3) {
    judge(lbm(1, 1, 2));
    judge(lbm(33, 70, 3));
    measure(repeats, lbm(number(0), number(1), number(2)));
  } else if (row == "heat_steps" && sizes.size() == 2) {
    for (const auto &[n, steps] : {std::pair(1, 3), std::pair(2, 17), std::pair(1000, 40), std::pair(70001, 5)})
      judge(heatSteps(static_cast<std::size_t>(n), steps));
    measure(repeats, heatSteps(std::strtoull(sizes[0].c_str(), nullptr, 10), number(1)));
  } else {
    fail(2, "steps lbm REPEATS ROWS,COLUMNS,STEPS | steps heat_steps REPEATS N,STEPS");
  }
  return 0;
}
