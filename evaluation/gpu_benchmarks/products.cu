// y = A^T (A x), and y = alpha A x + beta B x, by cuBLAS and by hand:
//   products atax|gesummv REPEATS ROWS,COLUMNS
#include "../harness/cuda/peer.h"

#include <cublas_v2.h>

#include <memory>

namespace {

constexpr int threads = 512, warps = threads / 32;

cublasHandle_t handle() {
  static cublasHandle_t made = [] {
    cublasHandle_t fresh = nullptr;
    CHECK(cublasCreate(&fresh));
    return fresh;
  }();
  return made;
}

/// y = alpha A x + beta y, or of A transposed: A is m by n, row by row.
void gemv(bool transposed, float alpha, const float *a, const float *x, float beta, float *y, int m, int n) {
  CHECK(cublasSgemv(handle(), transposed ? CUBLAS_OP_N : CUBLAS_OP_T, n, m, &alpha, a, n, x, 1, &beta, y, 1));
}

__device__ float sumOfWarp(float value) {
  for (int d = 16; d > 0; d /= 2)
    value += __shfl_xor_sync(0xffffffffU, value, d);
  return value;
}

/// Blocks take rows in turns. A row is read once, into registers of all threads: `each` of 4 columns; so is the
/// block's part of y, which goes to y in the end.
template <int each>
__global__ void __launch_bounds__(threads)
    ataxKernel(const float4 *__restrict__ a, const float4 *__restrict__ x, float *__restrict__ y, int m, int n) {
  __shared__ float parts[2][warps];
  const int t = static_cast<int>(threadIdx.x), fours = n / 4;
  float4 own[each], sums[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int j = t + k * threads;
    own[k] = j < fours ? x[j] : make_float4(0, 0, 0, 0);
    sums[k] = make_float4(0, 0, 0, 0);
  }
  int turn = 0;
  for (int i = static_cast<int>(blockIdx.x); i < m; i += static_cast<int>(gridDim.x), turn ^= 1) {
    float4 row[each];
    float product = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int j = t + k * threads;
      row[k] = j < fours ? a[static_cast<std::size_t>(i) * fours + j] : make_float4(0, 0, 0, 0);
    }
#pragma unroll
    for (int k = 0; k < each; ++k)
      product += row[k].x * own[k].x + row[k].y * own[k].y + row[k].z * own[k].z + row[k].w * own[k].w;
    product = sumOfWarp(product);
    if (t % 32 == 0)
      parts[turn][t / 32] = product;
    __syncthreads();
    float total = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w)
      total += parts[turn][w];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      sums[k].x += row[k].x * total;
      sums[k].y += row[k].y * total;
      sums[k].z += row[k].z * total;
      sums[k].w += row[k].w * total;
    }
  }
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int j = t + k * threads;
    if (j < fours) {
      atomicAdd(y + 4 * j, sums[k].x);
      atomicAdd(y + 4 * j + 1, sums[k].y);
      atomicAdd(y + 4 * j + 2, sums[k].z);
      atomicAdd(y + 4 * j + 3, sums[k].w);
    }
  }
}

/// A warp has a row of both.
__global__ void __launch_bounds__(256)
    gesummvKernel(float alpha, const float4 *__restrict__ a, float beta, const float4 *__restrict__ b,
                  const float4 *__restrict__ x, float *__restrict__ y, int m, int n) {
  const int i = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32), fours = n / 4;
  if (i >= m)
    return;
  float ofA = 0, ofB = 0;
#pragma unroll 8
  for (int j = lane; j < fours; j += 32) {
    const float4 p = a[static_cast<std::size_t>(i) * fours + j], q = b[static_cast<std::size_t>(i) * fours + j], v = x[j];
    ofA += p.x * v.x + p.y * v.y + p.z * v.z + p.w * v.w;
    ofB += q.x * v.x + q.y * v.y + q.z * v.z + q.w * v.w;
  }
  const float sum = sumOfWarp(alpha * ofA + beta * ofB);
  if (lane == 0)
    y[i] = sum;
}

struct Data {
  Data(const std::vector<float> &a, const std::vector<float> &b, const std::vector<float> &x, std::size_t between, std::size_t y)
      : a(a), b(b), x(x), between(between), y(y) {}
  Buffer<float> a, b, x, between, y;
};

const float4 *fours(const Buffer<float> &buffer) { return reinterpret_cast<const float4 *>(buffer.data()); }

template <int each> std::function<void()> ataxBy(std::shared_ptr<Data> data, int m, int n) {
  return [=] {
    int device = 0, units = 0, resident = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, ataxKernel<each>, threads, 0));
    CHECK(cudaMemsetAsync(data->y.data(), 0, data->y.size() * sizeof(float)));
    launch(ataxKernel<each>, static_cast<unsigned>(std::min(m, units * resident)), threads, fours(data->a), fours(data->x),
           data->y.data(), m, n);
  };
}

Problem atax(int m, int n) {
  const std::size_t rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
  const std::vector<float> a = numbers(rows * columns, 1), x = numbers(columns, 2);
  const auto data = std::make_shared<Data>(a, std::vector<float>{}, x, rows, columns);
  std::vector<double> products(rows), expected(columns);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j)
      products[i] += double(a[i * columns + j]) * x[j];
  }
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < columns; first += 64) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = first; j < std::min(first + 64, columns); ++j)
        expected[j] += a[i * columns + j] * products[i];
    }
  }
  std::vector<Way> ways = {{"cuBLAS, twice", [=] {
                              gemv(false, 1, data->a.data(), data->x.data(), 0, data->between.data(), m, n);
                              gemv(true, 1, data->a.data(), data->between.data(), 0, data->y.data(), m, n);
                            }}};
  if (n % 4 == 0 && n <= 4 * threads * 4)
    ways.push_back({"by hand, rows in registers", n <= 4 * threads ? ataxBy<1>(data, m, n) : ataxBy<4>(data, m, n)});
  return {ways,
          [=](const std::string &how) { expectAll(how, data->y, expected, 1e-5 * std::sqrt(double(m)) * std::sqrt(double(n))); },
          {},
          [=] { forget(data->y); }};
}

Problem gesummv(int m, int n) {
  const std::size_t rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
  constexpr float alpha = 1.5F, beta = 0.5F;
  const std::vector<float> a = numbers(rows * columns, 1), b = numbers(rows * columns, 2), x = numbers(columns, 3);
  const auto data = std::make_shared<Data>(a, b, x, 0, rows);
  std::vector<double> expected(rows);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j)
      expected[i] += (double(alpha) * a[i * columns + j] + double(beta) * b[i * columns + j]) * x[j];
  }
  std::vector<Way> ways = {{"cuBLAS, twice", [=] {
                              gemv(false, alpha, data->a.data(), data->x.data(), 0, data->y.data(), m, n);
                              gemv(false, beta, data->b.data(), data->x.data(), 1, data->y.data(), m, n);
                            }}};
  if (n % 4 == 0)
    ways.push_back({"by hand, a warp a row", [=] {
                      launch(gesummvKernel, partsOf(rows, 8), 256, alpha, fours(data->a), beta, fours(data->b), fours(data->x),
                             data->y.data(), m, n);
                    }});
  return {ways,
          [=](const std::string &how) { expectAll(how, data->y, expected, 1e-4 * std::sqrt(double(n))); },
          {},
          [=] { forget(data->y); }};
}

} // namespace

int main(int argc, char **argv) {
  const std::string row = argc == 4 ? argv[1] : "";
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto problem = row == "atax" ? atax : row == "gesummv" ? gesummv : nullptr;
  if (!problem || sizes.size() != 2)
    fail(2, "products atax|gesummv REPEATS ROWS,COLUMNS");
  for (const auto &[m, n] : {std::pair(1, 1), std::pair(3, 8), std::pair(33, 97), std::pair(300, 2052)})
    judge(problem(m, n));
  measure(static_cast<unsigned>(std::atoi(argv[2])), problem(std::atoi(sizes[0].c_str()), std::atoi(sizes[1].c_str())));
  return 0;
}
