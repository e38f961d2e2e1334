// Stencils of matrices and boxes by hand, for any function of an element's neighbourhood, and what is right.
//
// A stencil is a class with `Reach`, the neighbours to each side, and `operator()(i, j, value)` or `(i, j, k,
// value)`, where value(di, dj) is the element so far from it, in the type that is computed with.
#pragma once

#include "../harness/cuda/peer.h"

enum class Edge { Clamp, Zero, Wrap };

/// Where an index that is out of a container by at most its size lies; -1: nowhere, the value is 0.
template <Edge edge> __host__ __device__ int inside(int i, int n) {
  if (i >= 0 && i < n)
    return i;
  if (edge == Edge::Clamp)
    return i < 0 ? 0 : n - 1;
  return edge == Edge::Wrap ? (i + n) % n : -1;
}

template <Edge edge, class T> __host__ __device__ T element(const T *in, int m, int n, int i, int j) {
  i = inside<edge>(i, m);
  j = inside<edge>(j, n);
  return i < 0 || j < 0 ? T(0) : in[static_cast<std::size_t>(i) * n + j];
}

template <Edge edge, class T>
__host__ __device__ T element(const T *in, int l, int m, int n, int i, int j, int k) {
  i = inside<edge>(i, l);
  j = inside<edge>(j, m);
  k = inside<edge>(k, n);
  return i < 0 || j < 0 || k < 0 ? T(0) : in[(static_cast<std::size_t>(i) * m + j) * n + k];
}

constexpr int acrossThreads = 32, downThreads = 8;
const dim3 stencilThreads(acrossThreads, downThreads);

/// Elements near one, in memory with this pitch.
template <class T> struct Near {
  const T *here;
  int pitch;
  __host__ __device__ T operator()(int di, int dj) const { return here[di * pitch + dj]; }
};

template <class T> struct Near3 {
  const T *here;
  int plane, pitch;
  __host__ __device__ T operator()(int di, int dj, int dk) const { return here[di * plane + dj * pitch + dk]; }
};

/// The same where some may be past an end.
template <Edge edge, class T, class Number = T> struct Padded {
  const T *in;
  int m, n, i, j;
  __host__ __device__ Number operator()(int di, int dj) const {
    return static_cast<Number>(element<edge>(in, m, n, i + di, j + dj));
  }
};

template <Edge edge, class T, class Number = T> struct Padded3 {
  const T *in;
  int l, m, n, i, j, k;
  __host__ __device__ Number operator()(int di, int dj, int dk) const {
    return static_cast<Number>(element<edge>(in, l, m, n, i + di, j + dj, k + dk));
  }
};

// ---------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------

/// A tile with its halo in shared memory; each thread computes some of its elements.
template <Edge edge, class T, class At>
__global__ void __launch_bounds__(acrossThreads *downThreads)
    tileKernel(const T *__restrict__ in, T *__restrict__ out, int m, int n, At at) {
  constexpr int width = 128, height = 16, r = At::Reach, pitch = width + 2 * r;
  __shared__ T tile[(height + 2 * r) * pitch];
  const int left = static_cast<int>(blockIdx.x) * width, top = static_cast<int>(blockIdx.y) * height;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const bool whole = left >= r && top >= r && left + width + r <= n && top + height + r <= m;
#pragma unroll
  for (int i = y; i < height + 2 * r; i += downThreads) {
#pragma unroll
    for (int j = x; j < pitch; j += acrossThreads) {
      const int row = top + i - r, column = left + j - r;
      tile[i * pitch + j] = whole ? in[static_cast<std::size_t>(row) * n + column]
                            : row < m + r && column < n + r ? element<edge>(in, m, n, row, column)
                                                            : T(0);
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = y; i < height; i += downThreads) {
#pragma unroll
    for (int j = x; j < width; j += acrossThreads) {
      if (whole || (top + i < m && left + j < n))
        out[static_cast<std::size_t>(top + i) * n + left + j] =
            at(top + i, left + j, Near<T>{tile + (i + r) * pitch + j + r, pitch});
    }
  }
}

/// Each thread goes down a column; what two of its elements have in common stays in registers.
template <Edge edge, class T, class At, int rows>
__global__ void __launch_bounds__(acrossThreads *downThreads)
    columnKernel(const T *__restrict__ in, T *__restrict__ out, int m, int n, At at) {
  constexpr int r = At::Reach;
  const int j = static_cast<int>(blockIdx.x * acrossThreads + threadIdx.x);
  const int top = static_cast<int>(blockIdx.y * downThreads + threadIdx.y) * rows;
  const int left = static_cast<int>(blockIdx.x) * acrossThreads;
  const int first = static_cast<int>(blockIdx.y) * downThreads * rows;
  if (left >= r && first >= r && left + acrossThreads + r <= n && first + downThreads * rows + r <= m) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const std::size_t e = static_cast<std::size_t>(top + i) * n + j;
      out[e] = at(top + i, j, Near<T>{in + e, n});
    }
  } else if (j < n) {
    for (int i = top; i < min(top + rows, m); ++i)
      out[static_cast<std::size_t>(i) * n + j] = at(i, j, Padded<edge, T>{in, m, n, i, j});
  }
}

/// Ways to compute a stencil of a matrix.
template <Edge edge, class T, class At>
std::vector<Way> matrixWays(const T *in, T *out, int m, int n, At at) {
  const auto columns = [=](auto kernel, unsigned rows) {
    return [=] {
      launch(kernel, dim3(partsOf(n, acrossThreads), partsOf(m, downThreads * rows)), stencilThreads, in, out, m, n, at);
    };
  };
  return {{"tiles in shared memory", [=] {
             launch(tileKernel<edge, T, At>, dim3(partsOf(n, 128), partsOf(m, 16)), stencilThreads, in, out, m, n, at);
           }},
          {"columns of 4", columns(columnKernel<edge, T, At, 4>, 4)},
          {"columns of 8", columns(columnKernel<edge, T, At, 8>, 8)}};
}

/// What is right, in double.
template <Edge edge, class T, class At>
std::vector<double> matrixInDouble(const std::vector<T> &in, int m, int n, const At &at) {
  std::vector<double> out(static_cast<std::size_t>(m) * n);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j)
      out[static_cast<std::size_t>(i) * n + j] = at(i, j, Padded<edge, T, double>{in.data(), m, n, i, j});
  }
  return out;
}

// ---------------------------------------------------------------------------
// Boxes
// ---------------------------------------------------------------------------

/// Each thread goes through the planes; what two of its elements have in common stays in registers.
template <Edge edge, class T, class At, int planes>
__global__ void __launch_bounds__(acrossThreads *downThreads)
    pileKernel(const T *__restrict__ in, T *__restrict__ out, int l, int m, int n, At at) {
  constexpr int r = At::Reach;
  const int k = static_cast<int>(blockIdx.x * acrossThreads + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * downThreads + threadIdx.y);
  const int bottom = static_cast<int>(blockIdx.z) * planes;
  const int left = static_cast<int>(blockIdx.x) * acrossThreads, top = static_cast<int>(blockIdx.y) * downThreads;
  if (left >= r && left + acrossThreads + r <= n && top >= r && top + downThreads + r <= m && bottom >= r &&
      bottom + planes + r <= l) {
#pragma unroll
    for (int i = 0; i < planes; ++i) {
      const std::size_t e = (static_cast<std::size_t>(bottom + i) * m + j) * n + k;
      out[e] = at(bottom + i, j, k, Near3<T>{in + e, m * n, n});
    }
  } else if (k < n && j < m) {
    for (int i = bottom; i < min(bottom + planes, l); ++i)
      out[(static_cast<std::size_t>(i) * m + j) * n + k] = at(i, j, k, Padded3<edge, T>{in, l, m, n, i, j, k});
  }
}

/// What a thread of the next kernel sees: its own column in registers, the plane in shared memory.
template <class T> struct Sliding {
  const T *column; ///< the element itself in the middle
  const T *plane;
  int pitch;
  __device__ T operator()(int di, int dj, int dk) const {
    return dj == 0 && dk == 0 ? column[di] : plane[dj * pitch + dk];
  }
};

/// A tile of a plane with its halo in shared memory, plane by plane; a thread's column is in registers.
/// For stencils that look along the axes only.
template <Edge edge, class T, class At>
__global__ void __launch_bounds__(acrossThreads *downThreads)
    slidingKernel(const T *__restrict__ in, T *__restrict__ out, int l, int m, int n, int planes, At at) {
  constexpr int r = At::Reach, width = acrossThreads + 2 * r, height = downThreads + 2 * r;
  __shared__ T tile[height * width];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int left = static_cast<int>(blockIdx.x) * acrossThreads, top = static_cast<int>(blockIdx.y) * downThreads;
  const int k = left + x, j = top + y, first = static_cast<int>(blockIdx.z) * planes;
  const int last = min(first + planes, l);
  const bool mine = k < n && j < m;
  T column[2 * r + 1];
#pragma unroll
  for (int d = 0; d < 2 * r; ++d)
    column[d + 1] = mine ? element<edge>(in, l, m, n, first + d - r, j, k) : T(0);
  for (int i = first; i < last; ++i) {
#pragma unroll
    for (int d = 0; d < 2 * r; ++d)
      column[d] = column[d + 1];
    column[2 * r] = mine ? element<edge>(in, l, m, n, i + r, j, k) : T(0);
    __syncthreads();
    if (mine)
      tile[(y + r) * width + x + r] = column[r];
    for (int e = y * acrossThreads + x; e < height * width; e += acrossThreads * downThreads) {
      const int v = e / width, u = e % width;
      const bool halo = u < r || u >= acrossThreads + r || v < r || v >= downThreads + r;
      // Past the right end too, where the tile is not full.
      if ((halo || top + v - r >= m || left + u - r >= n) && top + v - r < m + r && left + u - r < n + r)
        tile[e] = element<edge>(in, l, m, n, i, top + v - r, left + u - r);
    }
    __syncthreads();
    if (mine)
      out[(static_cast<std::size_t>(i) * m + j) * n + k] =
          at(i, j, k, Sliding<T>{column + r, tile + (y + r) * width + x + r, width});
  }
}

template <Edge edge, class T, class At>
std::vector<Way> boxWays(const T *in, T *out, int l, int m, int n, At at) {
  const unsigned across = partsOf(n, acrossThreads), down = partsOf(m, downThreads);
  const auto piles = [=](auto kernel, unsigned planes) {
    return [=] { launch(kernel, dim3(across, down, partsOf(l, planes)), stencilThreads, in, out, l, m, n, at); };
  };
  constexpr int planes = 64;
  return {{"planes in shared memory", [=] {
             launch(slidingKernel<edge, T, At>, dim3(across, down, partsOf(l, planes)), stencilThreads, in, out, l,
                    m, n, planes, at);
           }},
          {"piles of 1", piles(pileKernel<edge, T, At, 1>, 1)},
          {"piles of 4", piles(pileKernel<edge, T, At, 4>, 4)},
          {"piles of 8", piles(pileKernel<edge, T, At, 8>, 8)}};
}

template <Edge edge, class T, class At>
std::vector<double> boxInDouble(const std::vector<T> &in, int l, int m, int n, const At &at) {
  std::vector<double> out(in.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l; ++i) {
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < n; ++k)
        out[(static_cast<std::size_t>(i) * m + j) * n + k] =
            at(i, j, k, Padded3<edge, T, double>{in.data(), l, m, n, i, j, k});
    }
  }
  return out;
}
