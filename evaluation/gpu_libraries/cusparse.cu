// cuSPARSE: cusparse spmv REPEATS poisson|irregular,SIZE. The faster of its algorithms for compressed
// rows; what it finds out about the matrix beforehand is not timed.
#include "../harness/cuda/peer.h"

#include "../harness/matrices.h"

#include <cusparse.h>

namespace {

struct Algorithm {
  const char *name;
  cusparseSpMVAlg_t number;
};

std::vector<double> timed(unsigned repeats, cusparseHandle_t handle, cusparseSpMatDescr_t a,
                          cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                          cusparseSpMVAlg_t algorithm) {
  const float one = 1, zero = 0;
  const auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  std::size_t bytes = 0;
  CHECK(cusparseSpMV_bufferSize(handle, operation, &one, a, x, &zero, y, CUDA_R_32F, algorithm,
                                &bytes));
  const Buffer<char> buffer(bytes);
  CHECK(cusparseSpMV_preprocess(handle, operation, &one, a, x, &zero, y, CUDA_R_32F, algorithm,
                                buffer.data()));
  return coldTimes(repeats, [&] {
    CHECK(cusparseSpMV(handle, operation, &one, a, x, &zero, y, CUDA_R_32F, algorithm,
                       buffer.data()));
  });
}

void spmv(unsigned repeats, const Sparse<float> &matrix) {
  const Buffer<int> offsets(matrix.offsets), columns(matrix.columns);
  const Buffer<float> values(matrix.values), x(matrix.columnCount), y(matrix.rows());
  fill(x, Signed{1});
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t in, out;
  CHECK(cusparseCreate(&handle));
  CHECK(cusparseCreateCsr(
      &a, static_cast<std::int64_t>(matrix.rows()), static_cast<std::int64_t>(matrix.columnCount),
      static_cast<std::int64_t>(matrix.columns.size()), offsets.data(), columns.data(),
      values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&in, static_cast<std::int64_t>(x.size()), x.data(), CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&out, static_cast<std::int64_t>(y.size()), y.data(), CUDA_R_32F));
  std::vector<double> best;
  std::string how;
  for (const Algorithm &algorithm :
       {Algorithm{"ALG1", CUSPARSE_SPMV_CSR_ALG1}, Algorithm{"ALG2", CUSPARSE_SPMV_CSR_ALG2}}) {
    std::vector<double> seconds = timed(repeats, handle, a, in, out, algorithm.number);
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    if (best.empty() || sorted[sorted.size() / 2] < best[best.size() / 2]) {
      best = sorted;
      how = algorithm.name;
    }
    for (const std::size_t row : {std::size_t{0}, matrix.rows() / 2, matrix.rows() - 1}) {
      double expected = 0;
      for (int k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k)
        expected +=
            matrix.values[static_cast<std::size_t>(k)] *
            Signed{1}(static_cast<std::uint64_t>(matrix.columns[static_cast<std::size_t>(k)]));
      expect("a row", y.at(row), expected, 1e-3);
    }
  }
  print(best, how);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4 || std::string(argv[1]) != "spmv")
    fail(2, "cusparse spmv REPEATS poisson|irregular,SIZE");
  const std::string shape = argv[3];
  const std::size_t comma = shape.find(',');
  spmv(static_cast<unsigned>(std::atoi(argv[2])),
       matrixOf<float>(
           shape.substr(0, comma),
           comma == std::string::npos ? 0 : std::strtoull(shape.c_str() + comma + 1, nullptr, 10)));
  return 0;
}
