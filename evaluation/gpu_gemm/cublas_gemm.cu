// Times cuBLAS on square matrices: cublas_gemm float|double N REPEATS, JSON with seconds of each call.
// Times are CUDA events around one call each; default math mode, no TF32.
#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void check(bool fine, const char *what) {
  if (fine)
    return;
  std::fprintf(stderr, "cublas_gemm: %s failed\n", what);
  std::exit(1);
}

cublasStatus_t gemm(cublasHandle_t h, int n, const float *a, const float *b, float *c) {
  const float one = 1;
  return cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &one, c, n);
}
cublasStatus_t gemm(cublasHandle_t h, int n, const double *a, const double *b, double *c) {
  const double one = 1;
  return cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &one, c, n);
}

template <class T> void run(int n, int repeats) {
  T *matrix[3];
  const size_t bytes = size_t(n) * n * sizeof(T);
  for (T *&each : matrix) {
    check(cudaMalloc(&each, bytes) == cudaSuccess, "cudaMalloc");
    check(cudaMemset(each, 0, bytes) == cudaSuccess, "cudaMemset");
  }
  cublasHandle_t handle;
  check(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess,
        "cudaEventCreate");
  std::printf("{\"seconds\": [");
  for (int i = -2; i < repeats; ++i) {
    check(cudaEventRecord(begin) == cudaSuccess, "cudaEventRecord");
    check(gemm(handle, n, matrix[0], matrix[1], matrix[2]) == CUBLAS_STATUS_SUCCESS, "gemm");
    check(cudaEventRecord(end) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess,
          "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess, "cudaEventElapsedTime");
    if (i >= 0)
      std::printf("%s%.9g", i == 0 ? "" : ", ", milliseconds / 1e3);
  }
  std::printf("]}\n");
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "cublas_gemm float|double N REPEATS\n");
    return 2;
  }
  const int n = std::atoi(argv[2]);
  std::string(argv[1]) == "float" ? run<float>(n, std::atoi(argv[3]))
                                  : run<double>(n, std::atoi(argv[3]));
}
