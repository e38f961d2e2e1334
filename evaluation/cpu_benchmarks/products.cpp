// y = A^T (A x), and y = alpha A x + beta B x.
#include "stencils.h"

#include <cblas.h>

namespace {

/// Each thread adds up a y of its own, reading each row of A once for both products.
void ataxByHand(const float *a, const float *x, float *y, std::size_t m, std::size_t n) {
  std::fill(y, y + n, 0.0F);
#pragma omp parallel for schedule(static) reduction(+ : y[ : n])
  for (std::size_t i = 0; i < m; ++i) {
    const float *row = a + i * n;
    float product = 0;
#pragma omp simd reduction(+ : product)
    for (std::size_t j = 0; j < n; ++j)
      product += row[j] * x[j];
#pragma omp simd
    for (std::size_t j = 0; j < n; ++j)
      y[j] += row[j] * product;
  }
}

void gemvByOpenBLAS(CBLAS_TRANSPOSE transposed, float alpha, const float *a, const float *x,
                    float beta, float *y, std::size_t m, std::size_t n) {
  const auto columns = static_cast<blasint>(n);
  cblas_sgemv(CblasRowMajor, transposed, static_cast<blasint>(m), columns, alpha, a, columns, x, 1,
              beta, y, 1);
}

} // namespace

Row makeAtax(const Words &sizes) {
  const std::size_t m = sizeAt(sizes, 0);
  const std::size_t n = sizeAt(sizes, 1);
  auto a = numbers(m * n, 1);
  auto x = numbers(n, 2);
  auto between = std::make_shared<Array<float>>(m);
  auto y = std::make_shared<Array<float>>(n);
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < m; ++i) {
    double product = 0;
    for (std::size_t j = 0; j < n; ++j)
      product += double((*a)[i * n + j]) * double((*x)[j]);
    for (std::size_t j = 0; j < n; ++j)
      expected[j] += double((*a)[i * n + j]) * product;
  }
  Row row;
  row.bytes = 4.0 * static_cast<double>(m * n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(a->data(), {m, n})
                     .container(x->data(), {n})
                     .container(y->data(), {n}));
  };
  row.peers = {
      {"OpenMP", [=] { ataxByHand(a->data(), x->data(), y->data(), m, n); }},
      {"OpenBLAS",
       [=] {
         gemvByOpenBLAS(CblasNoTrans, 1, a->data(), x->data(), 0, between->data(), m, n);
         gemvByOpenBLAS(CblasTrans, 1, a->data(), between->data(), 0, y->data(), m, n);
       }},
  };
  judge(row, y, std::move(expected),
        1e-5 * static_cast<double>(n) * std::sqrt(static_cast<double>(m)));
  return row;
}

Row makeGesummv(const Words &sizes) {
  const std::size_t m = sizeAt(sizes, 0);
  const std::size_t n = sizeAt(sizes, 1);
  static float alpha = 1.5F, beta = 0.5F;
  auto a = numbers(m * n, 1);
  auto b = numbers(m * n, 2);
  auto x = numbers(n, 3);
  auto y = std::make_shared<Array<float>>(m);
  std::vector<double> expected(m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      expected[i] +=
          (1.5 * double((*a)[i * n + j]) + 0.5 * double((*b)[i * n + j])) * double((*x)[j]);
  }
  Row row;
  row.bytes = 8.0 * static_cast<double>(m * n);
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&alpha)
                     .container(a->data(), {m, n})
                     .cell(&beta)
                     .container(b->data(), {m, n})
                     .container(x->data(), {n})
                     .container(y->data(), {m}));
  };
  row.peers = {
      {"OpenMP",
       [=] {
#pragma omp parallel for schedule(static)
         for (std::size_t i = 0; i < m; ++i) {
           const float *p = a->data() + i * n, *q = b->data() + i * n, *v = x->data();
           float of_a = 0, of_b = 0;
#pragma omp simd reduction(+ : of_a, of_b)
           for (std::size_t j = 0; j < n; ++j) {
             of_a += p[j] * v[j];
             of_b += q[j] * v[j];
           }
           (*y)[i] = alpha * of_a + beta * of_b;
         }
       }},
      {"OpenBLAS",
       [=] {
         gemvByOpenBLAS(CblasNoTrans, alpha, a->data(), x->data(), 0, y->data(), m, n);
         gemvByOpenBLAS(CblasNoTrans, beta, b->data(), x->data(), 1, y->data(), m, n);
       }},
  };
  judge(row, y, std::move(expected), 1e-5 * std::sqrt(static_cast<double>(n)) * 10);
  return row;
}
