// cuBLAS: cublas dot|axpy|sgemv|sgemm|dgemm|transpose REPEATS SIZE[,SIZE]; matrices are row-major.
// Default math mode: no TF32.
#include "../harness/cuda/peer.h"

#include <cublas_v2.h>

namespace {

cublasHandle_t handle;

void dot(unsigned repeats, std::size_t n) {
  const Buffer<float> a(n), b(n), out(1);
  fill(a, Signed{1});
  fill(b, Signed{2});
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  print(coldTimes(repeats, [&] {
    CHECK(
        cublasSdot_64(handle, static_cast<std::int64_t>(n), a.data(), 1, b.data(), 1, out.data()));
  }));
  double expected = 0;
#pragma omp parallel for reduction(+ : expected)
  for (std::size_t i = 0; i < n; ++i)
    expected += Signed{1}(i)*Signed{2}(i);
  expect("the dot product", out.at(0), expected, 1e-6 * static_cast<double>(n));
}

void axpy(unsigned repeats, std::size_t n) {
  const Buffer<float> x(n), y(n);
  fill(x, Signed{1});
  fill(y, Signed{2});
  const float a = 0.5F;
  print(coldTimes(repeats, [&] {
    CHECK(cublasSaxpy_64(handle, static_cast<std::int64_t>(n), &a, x.data(), 1, y.data(), 1));
  }));
  const double times = repeats + 3; // warm-up and all
  expect("the last element", y.at(n - 1), Signed{2}(n - 1) + times * a * Signed{1}(n - 1), 1e-3);
}

void gemv(unsigned repeats, std::size_t m, std::size_t n) {
  const Buffer<float> a(m * n), x(n), y(m);
  fill(a, Signed{1});
  fill(x, Signed{2});
  const float one = 1, zero = 0;
  const auto rows = static_cast<int>(m), columns = static_cast<int>(n);
  print(coldTimes(repeats, [&] {
    CHECK(cublasSgemv(handle, CUBLAS_OP_T, columns, rows, &one, a.data(), columns, x.data(), 1,
                      &zero, y.data(), 1));
  }));
  double expected = 0;
  for (std::size_t j = 0; j < n; ++j)
    expected += Signed{1}((m - 1) * n + j) * Signed{2}(j);
  expect("the last element", y.at(m - 1), expected, 1e-6 * static_cast<double>(n) + 1e-4);
}

cublasStatus_t gemmOf(int n, const float *a, const float *b, float *c) {
  const float one = 1, zero = 0;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}
cublasStatus_t gemmOf(int n, const double *a, const double *b, double *c) {
  const double one = 1, zero = 0;
  return cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}

template <class T> void gemm(unsigned repeats, std::size_t n) {
  const Buffer<T> a(n * n), b(n * n), c(n * n);
  fill(a, Signed{1});
  fill(b, Signed{2});
  print(coldTimes(repeats,
                  [&] { CHECK(gemmOf(static_cast<int>(n), a.data(), b.data(), c.data())); }));
  double expected = 0;
  for (std::size_t k = 0; k < n; ++k)
    expected += Signed{1}((n - 2) * n + k) * Signed{2}(k * n + n - 1);
  expect("an element", static_cast<double>(c.at((n - 2) * n + n - 1)), expected, 1e-2);
}

void transpose(unsigned repeats, std::size_t n) {
  const Buffer<float> in(n * n), out(n * n);
  fill(in, Signed{1});
  const float one = 1, zero = 0;
  const auto size = static_cast<int>(n);
  print(coldTimes(repeats, [&] {
    CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, size, size, &one, in.data(), size, &zero,
                      out.data(), size, out.data(), size));
  }));
  expect("an element", out.at(5 * n + 3), Signed{1}(3 * n + 5), 1e-6);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    fail(2, "cublas dot|axpy|sgemv|sgemm|dgemm|transpose REPEATS SIZE[,SIZE]");
  const std::string row = argv[1];
  const auto repeats = static_cast<unsigned>(std::atoi(argv[2]));
  char *rest = nullptr;
  const std::size_t n = std::strtoull(argv[3], &rest, 10);
  CHECK(cublasCreate(&handle));
  if (row == "dot")
    dot(repeats, n);
  else if (row == "axpy")
    axpy(repeats, n);
  else if (row == "sgemv")
    gemv(repeats, n, *rest == ',' ? std::strtoull(rest + 1, nullptr, 10) : n);
  else if (row == "sgemm")
    gemm<float>(repeats, n);
  else if (row == "dgemm")
    gemm<double>(repeats, n);
  else if (row == "transpose")
    transpose(repeats, n);
  else
    fail(2, "cublas: no row " + row);
  return 0;
}
