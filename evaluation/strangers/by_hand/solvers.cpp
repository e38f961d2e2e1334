// PolyBench's solvers by hand: the rows below a pivot in parallel. Triangular systems and Durbin's recursion have rounds of a
// few microseconds, and one thread.
#include "call.h"

namespace {

void eliminate(Matrix<double> a) {
  for (std::size_t k = 0; k < a.rows; ++k) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = k + 1; i < a.rows; ++i) {
      a[i][k] /= a[k][k];
      add(-a[i][k], a[k] + k + 1, a[i] + k + 1, a.columns - k - 1);
    }
  }
}

} // namespace

extern "C" {

void lu(const Call &call) { eliminate(call.matrix<double>(0)); }

void ludcmp(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0);
  const Vector<double> b = call.vector<double>(1), y = call.vector<double>(2),
                       x = call.vector<double>(3);
  eliminate(a);
  for (std::size_t i = 0; i < a.rows; ++i)
    y[i] = b[i] - dot(a[i], y.data, i);
  for (std::size_t i = a.rows; i-- > 0;)
    x[i] = (y[i] - dot(a[i] + i + 1, x.data + i + 1, a.rows - i - 1)) / a[i][i];
}

void cholesky(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0);
  std::vector<double> column(a.rows);
  for (std::size_t k = 0; k < a.rows; ++k) {
    a[k][k] = std::sqrt(a[k][k]);
    for (std::size_t i = k + 1; i < a.rows; ++i)
      column[i] = a[i][k] /= a[k][k];
#pragma omp parallel for schedule(static, 8)
    for (std::size_t i = k + 1; i < a.rows; ++i)
      add(-column[i], column.data() + k + 1, a[i] + k + 1, i - k);
  }
}

void trisolv(const Call &call) {
  const Matrix<double> l = call.matrix<double>(0);
  const Vector<double> b = call.vector<double>(1), x = call.vector<double>(2);
  for (std::size_t i = 0; i < l.rows; ++i)
    x[i] = (b[i] - dot(l[i], x.data, i)) / l[i][i];
}

void durbin(const Call &call) {
  const Vector<double> r = call.vector<double>(0), z = call.vector<double>(1),
                       y = call.vector<double>(2);
  double alpha = -r[0], beta = 1;
  y[0] = alpha;
  for (std::size_t k = 1; k < r.size; ++k) {
    beta *= 1 - alpha * alpha;
    double sum = r[k];
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < k; ++i)
      sum += r[k - i - 1] * y[i];
    alpha = -sum / beta;
    for (std::size_t i = 0; i < k; ++i)
      z[i] = y[i] + alpha * y[k - i - 1];
    std::copy(z.data, z.data + k, y.data);
    y[k] = alpha;
  }
}

void gramschmidt(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0), r = call.matrix<double>(1),
                       q = call.matrix<double>(2);
  std::vector<double> column(a.rows);
  for (std::size_t k = 0; k < a.columns; ++k) {
    for (std::size_t i = 0; i < a.rows; ++i)
      column[i] = a[i][k];
    r[k][k] = std::sqrt(dot(column.data(), column.data(), a.rows));
    for (std::size_t i = 0; i < a.rows; ++i)
      q[i][k] = column[i] /= r[k][k];
    const std::size_t left = a.columns - k - 1;
    double *row = r[k] + k + 1;
    std::fill(row, row + left, 0.0);
#pragma omp parallel
    {
      std::vector<double> own(left);
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < a.rows; ++i)
        add(column[i], a[i] + k + 1, own.data(), left);
#pragma omp critical
      add(1, own.data(), row, left);
#pragma omp barrier
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < a.rows; ++i)
        add(-column[i], row, a[i] + k + 1, left);
    }
  }
}
}
