// Convolutions with 17 by 17 weights by hand; past the ends is the last element:
//   convolutions convolve|separable REPEATS ROWS,COLUMNS
#include "stencil_kernels.cuh"

#include <memory>

namespace {

constexpr int taps = 17, reach = taps / 2;

__constant__ float matrixWeights[taps * taps];
__constant__ float columnWeights[taps], rowWeights[taps];

/// Element (row, column) of the matrix, or the nearest there is.
__device__ float nearest(const float *in, int m, int n, int row, int column) {
  return in[static_cast<std::size_t>(min(max(row, 0), m - 1)) * n + min(max(column, 0), n - 1)];
}

/// `height` by `width` elements from (top, left) on, by all threads of a block.
template <int height, int width, int pitch>
__device__ void bring(const float *in, int m, int n, int top, int left, float *tile) {
  const int threads = static_cast<int>(blockDim.x * blockDim.y);
  const bool whole = top >= 0 && left >= 0 && top + height <= m && left + width <= n;
  for (int e = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); e < height * width; e += threads) {
    const int i = e / width, j = e % width;
    tile[i * pitch + j] = whole ? in[static_cast<std::size_t>(top + i) * n + left + j] : nearest(in, m, n, top + i, left + j);
  }
}

// ---------------------------------------------------------------------------
// Any weights
// ---------------------------------------------------------------------------

/// A thread computes `rows` results below each other: a column of elements that it has loaded serves them all.
template <int rows, bool unrolled>
__global__ void __launch_bounds__(acrossThreads *downThreads)
    convolveKernel(const float *__restrict__ in, float *__restrict__ out, int m, int n) {
  constexpr int width = acrossThreads + taps - 1, height = downThreads * rows + taps - 1;
  __shared__ float tile[height * width];
  const int left = static_cast<int>(blockIdx.x) * acrossThreads, top = static_cast<int>(blockIdx.y) * downThreads * rows;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y) * rows;
  bring<height, width, width>(in, m, n, top - reach, left - reach, tile);
  __syncthreads();
  float sums[rows] = {};
#pragma unroll(unrolled ? taps : 1)
  for (int l = 0; l < taps; ++l) {
    float column[rows + taps - 1];
#pragma unroll
    for (int i = 0; i < rows + taps - 1; ++i)
      column[i] = tile[(y + i) * width + x + l];
#pragma unroll
    for (int k = 0; k < taps; ++k) {
#pragma unroll
      for (int i = 0; i < rows; ++i)
        sums[i] += matrixWeights[k * taps + l] * column[i + k];
    }
  }
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    if (top + y + i < m && left + x < n)
      out[static_cast<std::size_t>(top + y + i) * n + left + x] = sums[i];
  }
}

// ---------------------------------------------------------------------------
// Weights that are a column's and a row's: two kernels
// ---------------------------------------------------------------------------

constexpr int steps = 8; ///< results of a thread

/// Along the rows, from a part of some rows in shared memory.
__global__ void __launch_bounds__(acrossThreads *downThreads)
    acrossKernel(const float *__restrict__ in, float *__restrict__ out, int m, int n) {
  constexpr int width = acrossThreads * steps + taps - 1;
  __shared__ float tile[downThreads * width];
  const int left = static_cast<int>(blockIdx.x) * acrossThreads * steps, top = static_cast<int>(blockIdx.y) * downThreads;
  bring<downThreads, width, width>(in, m, n, top, left - reach, tile);
  __syncthreads();
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
#pragma unroll
  for (int s = 0; s < steps; ++s) {
    const int j = x + s * acrossThreads;
    float sum = 0;
#pragma unroll
    for (int l = 0; l < taps; ++l)
      sum += rowWeights[l] * tile[y * width + j + l];
    if (top + y < m && left + j < n)
      out[static_cast<std::size_t>(top + y) * n + left + j] = sum;
  }
}

/// Down the columns: each result from shared memory, or a thread's results from a column in registers.
template <bool inRegisters>
__global__ void __launch_bounds__(acrossThreads *downThreads)
    downKernel(const float *__restrict__ in, float *__restrict__ out, int m, int n) {
  constexpr int rows = downThreads * steps, height = rows + taps - 1;
  __shared__ float tile[height * acrossThreads];
  const int left = static_cast<int>(blockIdx.x) * acrossThreads, top = static_cast<int>(blockIdx.y) * rows;
  bring<height, acrossThreads, acrossThreads>(in, m, n, top - reach, left, tile);
  __syncthreads();
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  float sums[steps] = {};
  const auto row = [&](int s) { return inRegisters ? y * steps + s : y + s * downThreads; };
  if (inRegisters) {
#pragma unroll
    for (int i = 0; i < steps + taps - 1; ++i) {
      const float value = tile[(y * steps + i) * acrossThreads + x];
#pragma unroll
      for (int s = 0; s < steps; ++s) {
        if (i - s >= 0 && i - s < taps)
          sums[s] += columnWeights[i - s] * value;
      }
    }
  } else {
#pragma unroll
    for (int s = 0; s < steps; ++s) {
#pragma unroll
      for (int k = 0; k < taps; ++k)
        sums[s] += columnWeights[k] * tile[(row(s) + k) * acrossThreads + x];
    }
  }
#pragma unroll
  for (int s = 0; s < steps; ++s) {
    if (top + row(s) < m && left + x < n)
      out[static_cast<std::size_t>(top + row(s)) * n + left + x] = sums[s];
  }
}

// ---------------------------------------------------------------------------
// One kernel
// ---------------------------------------------------------------------------

/// A tile of 64 by 64 results: across from shared memory to shared memory, eight results of a thread from a
/// part of a row in registers, then down, sixteen of a thread from a column in registers.
__global__ void __launch_bounds__(256)
    fusedKernel(const float *__restrict__ in, float *__restrict__ out, int m, int n) {
  constexpr int side = 64, wide = side + taps - 1, pitch = wide + 1, each = 8, rows = 16, betweenPitch = side + 1;
  __shared__ float tile[wide * pitch];
  __shared__ float between[wide * betweenPitch];
  const int left = static_cast<int>(blockIdx.x) * side, top = static_cast<int>(blockIdx.y) * side;
  const int t = static_cast<int>(threadIdx.x);
  bring<wide, wide, pitch>(in, m, n, top - reach, left - reach, tile);
  __syncthreads();
  for (int task = t; task < wide * (side / each); task += 256) {
    const int i = task % wide, j = task / wide * each;
    float part[each + taps - 1];
#pragma unroll
    for (int l = 0; l < each + taps - 1; ++l)
      part[l] = tile[i * pitch + j + l];
#pragma unroll
    for (int s = 0; s < each; ++s) {
      float sum = 0;
#pragma unroll
      for (int l = 0; l < taps; ++l)
        sum += rowWeights[l] * part[s + l];
      between[i * betweenPitch + j + s] = sum;
    }
  }
  __syncthreads();
  const int j = t % side, i = t / side * rows;
  float sums[rows] = {};
#pragma unroll
  for (int k = 0; k < rows + taps - 1; ++k) {
    const float value = between[(i + k) * betweenPitch + j];
#pragma unroll
    for (int s = 0; s < rows; ++s) {
      if (k - s >= 0 && k - s < taps)
        sums[s] += columnWeights[k - s] * value;
    }
  }
#pragma unroll
  for (int s = 0; s < rows; ++s) {
    if (top + i + s < m && left + j < n)
      out[static_cast<std::size_t>(top + i + s) * n + left + j] = sums[s];
  }
}

// ---------------------------------------------------------------------------

/// Two passes in double, along the rows and down the columns.
std::vector<double> separableInDouble(const std::vector<float> &in, const std::vector<float> &column,
                                      const std::vector<float> &row, int m, int n) {
  std::vector<double> between(in.size()), out(in.size());
  const auto clamped = [](int i, int size) { return static_cast<std::size_t>(std::min(std::max(i, 0), size - 1)); };
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l < taps; ++l)
        between[static_cast<std::size_t>(i) * n + j] += double(row[l]) * in[static_cast<std::size_t>(i) * n + clamped(j + l - reach, n)];
    }
  }
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m; ++i) {
    for (int k = 0; k < taps; ++k) {
      const double *from = between.data() + clamped(i + k - reach, m) * n;
      for (int j = 0; j < n; ++j)
        out[static_cast<std::size_t>(i) * n + j] += column[k] * from[j];
    }
  }
  return out;
}

std::vector<double> convolveInDouble(const std::vector<float> &in, const std::vector<float> &weights, int m, int n) {
  std::vector<double> out(in.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m; ++i) {
    for (int k = 0; k < taps; ++k) {
      const float *from = in.data() + static_cast<std::size_t>(std::min(std::max(i + k - reach, 0), m - 1)) * n;
      for (int l = 0; l < taps; ++l) {
        for (int j = 0; j < n; ++j)
          out[static_cast<std::size_t>(i) * n + j] += double(weights[k * taps + l]) * from[std::min(std::max(j + l - reach, 0), n - 1)];
      }
    }
  }
  return out;
}

Problem problemOf(bool separable, int m, int n) {
  const std::vector<float> values = numbers(static_cast<std::size_t>(m) * n, 1);
  const std::vector<float> weights = numbers(taps * taps, 2), column = numbers(taps, 3), row = numbers(taps, 4);
  CHECK(cudaMemcpyToSymbol(matrixWeights, weights.data(), sizeof matrixWeights));
  CHECK(cudaMemcpyToSymbol(columnWeights, column.data(), sizeof columnWeights));
  CHECK(cudaMemcpyToSymbol(rowWeights, row.data(), sizeof rowWeights));
  struct Data {
    explicit Data(const std::vector<float> &values) : in(values), between(values.size()), out(values.size()) {}
    Buffer<float> in, between, out;
  };
  const auto data = std::make_shared<Data>(values);
  const auto direct = [=](auto kernel, unsigned rows) {
    return [=] {
      launch(kernel, dim3(partsOf(n, acrossThreads), partsOf(m, downThreads * rows)), stencilThreads, data->in.data(),
             data->out.data(), m, n);
    };
  };
  const auto twice = [=](auto down) {
    return [=] {
      launch(acrossKernel, dim3(partsOf(n, acrossThreads * steps), partsOf(m, downThreads)), stencilThreads,
             data->in.data(), data->between.data(), m, n);
      launch(down, dim3(partsOf(n, acrossThreads), partsOf(m, downThreads * steps)), stencilThreads,
             data->between.data(), data->out.data(), m, n);
    };
  };
  std::vector<Way> ways;
  if (separable)
    ways = {{"two kernels, as NVIDIA's sample", twice(downKernel<false>)},
            {"two kernels, columns in registers", twice(downKernel<true>)},
            {"one kernel", [=] {
               launch(fusedKernel, dim3(partsOf(n, 64), partsOf(m, 64)), 256, data->in.data(), data->out.data(), m, n);
             }}};
  else
    ways = {{"columns of 8", direct(convolveKernel<8, false>, 8)},
            {"columns of 8, unrolled", direct(convolveKernel<8, true>, 8)},
            {"columns of 16", direct(convolveKernel<16, false>, 16)},
            {"columns of 16, unrolled", direct(convolveKernel<16, true>, 16)}};
  const std::vector<double> expected =
      separable ? separableInDouble(values, column, row, m, n) : convolveInDouble(values, weights, m, n);
  return {ways,
          [=](const std::string &how) { expectAll(how, data->out, expected, 1e-4); },
          {},
          [=] { forget(data->out); }};
}

} // namespace

int main(int argc, char **argv) {
  const std::string row = argc == 4 ? argv[1] : "";
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  if ((row != "convolve" && row != "separable") || sizes.size() != 2)
    fail(2, "convolutions convolve|separable REPEATS ROWS,COLUMNS");
  const bool separable = row == "separable";
  for (const auto &[m, n] : {std::pair(1, 1), std::pair(3, 7), std::pair(33, 97), std::pair(257, 131)})
    judge(problemOf(separable, m, n));
  measure(static_cast<unsigned>(std::atoi(argv[2])),
          problemOf(separable, std::atoi(sizes[0].c_str()), std::atoi(sizes[1].c_str())));
  return 0;
}
