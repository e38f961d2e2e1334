// y = A x, C += A B and C += A B^T, row-major.
#include "row.h"

#include <cblas.h>
#include <dlfcn.h>

#include <Eigen/Core>

#include <cmath>

namespace {

template <class T> using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T> using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T> std::shared_ptr<Array<T>> values(std::size_t size, std::uint64_t seed) {
  auto array = std::make_shared<Array<T>>(size);
  fill(*array, [seed](std::size_t i) { return 2 * randomUnit(i, seed) - 1; });
  return array;
}

/// Room for so many roundings, on either side, of numbers up to 1.
template <class T> double boundOf(std::size_t length) {
  return 4.0 * static_cast<double>(length) * (sizeof(T) == 4 ? 6e-8 : 1.2e-16) *
         std::sqrt(static_cast<double>(length));
}

void gemvByOpenBLAS(std::size_t m, std::size_t n, const float *a, const float *x, float *y) {
  const auto lda = static_cast<blasint>(n);
  cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<blasint>(m), lda, 1, a, lda, x, 1, 0, y, 1);
}
void gemvByOpenBLAS(std::size_t m, std::size_t n, const double *a, const double *x, double *y) {
  const auto lda = static_cast<blasint>(n);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, static_cast<blasint>(m), lda, 1, a, lda, x, 1, 0, y, 1);
}

template <class T> void gemvByLoop(std::size_t m, std::size_t n, const T *a, const T *x, T *y) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    T accum = 0;
#pragma omp simd reduction(+ : accum)
    for (std::size_t j = 0; j < n; ++j)
      accum += a[i * n + j] * x[j];
    y[i] = accum;
  }
}

template <class T> Row makeGemv(const Words &sizes) {
  const std::size_t m = sizeAt(sizes, 0);
  const std::size_t n = sizeAt(sizes, 1);
  auto a = values<T>(m * n, 1);
  auto x = values<T>(n, 2);
  auto y = std::make_shared<Array<T>>(m);
  std::vector<double> expected(m);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      expected[i] += double((*a)[i * n + j]) * double((*x)[j]);
  }
  Row row;
  row.bytes = static_cast<double>(sizeof(T)) * static_cast<double>(m * n + m + n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(a->data(), {m, n})
                     .container(x->data(), {n})
                     .container(y->data(), {m}));
  };
  row.peers = {
      {"OpenBLAS", [=] { gemvByOpenBLAS(m, n, a->data(), x->data(), y->data()); }},
      {"Eigen",
       [=] {
         const auto rows = static_cast<Eigen::Index>(m);
         const auto columns = static_cast<Eigen::Index>(n);
         Eigen::Map<Column<T>>(y->data(), rows).noalias() =
             Eigen::Map<const Matrix<T>>(a->data(), rows, columns) *
             Eigen::Map<const Column<T>>(x->data(), columns);
       }},
      {"OpenMP", [=] { gemvByLoop(m, n, a->data(), x->data(), y->data()); }},
  };
  row.forget = [=] { fill(*y, [](std::size_t) { return -1e30; }); };
  row.wrong = [=] { return firstDifference(y->data(), expected.data(), m, boundOf<T>(n)); };
  return row;
}

// One signature for cblas_sgemm and cblas_dgemm, of whatever library.
template <class T>
using Gemm = void (*)(CBLAS_ORDER, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, blasint, blasint, blasint, T,
                      const T *, blasint, const T *, blasint, T, T *, blasint);

/// BLIS, where it is installed, beside OpenBLAS and out of its way.
template <class T> Gemm<T> gemmOfBlis() {
  void *library = dlopen("libblis.so.4", RTLD_NOW | RTLD_LOCAL);
  const char *name = sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm";
  return library ? reinterpret_cast<Gemm<T>>(dlsym(library, name)) : nullptr;
}

template <class T> Row makeGemm(const Words &sizes, bool transposed, Gemm<T> openblas) {
  const std::size_t n = sizeAt(sizes, 0);
  auto a = values<T>(n * n, 1);
  auto b = values<T>(n * n, 2);
  auto c = std::make_shared<Array<T>>(n * n);
  auto call = [=](Gemm<T> gemm) {
    const auto size = static_cast<blasint>(n);
    gemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, size, size, size, 1,
         a->data(), size, b->data(), size, 1, c->data(), size);
  };
  Row row;
  row.operations = 2.0 * std::pow(static_cast<double>(n), 3);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(a->data(), {n, n})
                     .container(b->data(), {n, n})
                     .container(c->data(), {n, n}));
  };
  row.peers = {{"OpenBLAS", [=] { call(openblas); }}};
  if (Gemm<T> blis = gemmOfBlis<T>())
    row.peers.push_back({"BLIS", [=] { call(blis); }});
  // C is not restored between runs that are timed: it grows by one product in each.
  row.forget = [=] { fill(*c, [](std::size_t i) { return randomUnit(i, 3); }); };
  // Rows of the product here and there, against a plain loop in double.
  const std::size_t step = n < 32 ? 1 : n / 16 - 1;
  std::vector<double> expected((n + step - 1) / step * n);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; i += step) {
      double accum = double(T(randomUnit(i * n + j, 3)));
      for (std::size_t k = 0; k < n; ++k)
        accum += double((*a)[i * n + k]) * double((*b)[transposed ? j * n + k : k * n + j]);
      expected[i / step * n + j] = accum;
    }
  }
  row.wrong = [=, truth = std::move(expected)]() -> std::string {
    for (std::size_t i = 0; i < n; i += step) {
      if (std::string wrong =
              firstDifference(c->data() + i * n, truth.data() + i / step * n, n, boundOf<T>(n));
          !wrong.empty())
        return "row " + std::to_string(i) + ", " + wrong;
    }
    return "";
  };
  return row;
}

} // namespace

Row makeGemvFloat(const Words &sizes) { return makeGemv<float>(sizes); }
Row makeGemvDouble(const Words &sizes) { return makeGemv<double>(sizes); }
Row makeGemmFloat(const Words &sizes) { return makeGemm<float>(sizes, false, cblas_sgemm); }
Row makeGemmDouble(const Words &sizes) { return makeGemm<double>(sizes, false, cblas_dgemm); }
Row makeGemmTransposedFloat(const Words &sizes) {
  return makeGemm<float>(sizes, true, cblas_sgemm);
}
Row makeGemmTransposedDouble(const Words &sizes) {
  return makeGemm<double>(sizes, true, cblas_dgemm);
}
