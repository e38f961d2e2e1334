// PolyBench's products by hand: rows of results in parallel, the innermost loop along rows in memory.
#include "call.h"

namespace {

/// row += factor * the sum of weights[k] * b[k], four rows of b at a time.
void addRows(double factor, const double *weights, Matrix<double> b, double *row) {
  std::size_t k = 0;
  for (; k + 4 <= b.rows; k += 4) {
    const double w0 = factor * weights[k], w1 = factor * weights[k + 1];
    const double w2 = factor * weights[k + 2], w3 = factor * weights[k + 3];
    const double *b0 = b[k], *b1 = b[k + 1], *b2 = b[k + 2], *b3 = b[k + 3];
#pragma omp simd
    for (std::size_t j = 0; j < b.columns; ++j)
      row[j] += w0 * b0[j] + w1 * b1[j] + w2 * b2[j] + w3 * b3[j];
  }
  for (; k < b.rows; ++k)
    add(factor * weights[k], b[k], row, b.columns);
}

/// c = factor a b + keep c
void multiply(double factor, Matrix<double> a, Matrix<double> b, double keep, Matrix<double> c) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.columns; ++j)
      c[i][j] = keep == 0 ? 0 : keep * c[i][j];
    addRows(factor, a[i], b, c[i]);
  }
}

/// y += factor a^T x, by threads that have a sum of rows each.
void multiplyTransposed(double factor, Matrix<double> a, const double *x, double *y) {
#pragma omp parallel
  {
    std::vector<double> own(a.columns);
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < a.rows; ++i)
      add(factor * x[i], a[i], own.data(), a.columns);
#pragma omp critical
    add(1, own.data(), y, a.columns);
  }
}

void center(Matrix<double> data, double *mean) {
  std::fill(mean, mean + data.columns, 0.0);
  const std::vector<double> ones(data.rows, 1.0);
  multiplyTransposed(1.0 / static_cast<double>(data.rows), data, ones.data(), mean);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < data.rows; ++i)
    add(-1, mean, data[i], data.columns);
}

/// out = factor data^T data, the upper half of which is computed by blocks of rows.
void multiplyWithItself(double factor, Matrix<double> data, Matrix<double> out) {
  constexpr std::size_t block = 8;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t first = 0; first < out.rows; first += block) {
    const std::size_t end = std::min(first + block, out.rows);
    for (std::size_t i = first; i < end; ++i)
      std::fill(out[i] + first, out[i] + out.columns, 0.0);
    for (std::size_t k = 0; k < data.rows; ++k) {
      for (std::size_t i = first; i < end; ++i)
        add(factor * data[k][i], data[k] + first, out[i] + first, out.columns - first);
    }
  }
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < out.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      out[i][j] = out[j][i];
  }
}

} // namespace

extern "C" {

void gemm(const Call &call) {
  multiply(call.numbers[0], call.matrix<double>(0), call.matrix<double>(1), call.numbers[1],
           call.matrix<double>(2));
}

void two_mm(const Call &call) {
  const Matrix<double> between = call.matrix<double>(3);
  multiply(call.numbers[0], call.matrix<double>(0), call.matrix<double>(1), 0, between);
  multiply(1, between, call.matrix<double>(2), call.numbers[1], call.matrix<double>(4));
}

void three_mm(const Call &call) {
  const Matrix<double> e = call.matrix<double>(4), f = call.matrix<double>(5);
  multiply(1, call.matrix<double>(0), call.matrix<double>(1), 0, e);
  multiply(1, call.matrix<double>(2), call.matrix<double>(3), 0, f);
  multiply(1, e, f, 0, call.matrix<double>(6));
}

void atax(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0);
  const Vector<double> x = call.vector<double>(1), y = call.vector<double>(2);
  std::fill(y.data, y.data + y.size, 0.0);
#pragma omp parallel
  {
    std::vector<double> own(a.columns);
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < a.rows; ++i)
      add(dot(a[i], x.data, a.columns), a[i], own.data(), a.columns);
#pragma omp critical
    add(1, own.data(), y.data, a.columns);
  }
}

void bicg(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0);
  const Vector<double> r = call.vector<double>(1), p = call.vector<double>(2);
  const Vector<double> s = call.vector<double>(3), q = call.vector<double>(4);
  std::fill(s.data, s.data + s.size, 0.0);
#pragma omp parallel
  {
    std::vector<double> own(a.columns);
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < a.rows; ++i) {
      q[i] = dot(a[i], p.data, a.columns);
      add(r[i], a[i], own.data(), a.columns);
    }
#pragma omp critical
    add(1, own.data(), s.data, a.columns);
  }
}

void mvt(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0);
  const Vector<double> y1 = call.vector<double>(1), y2 = call.vector<double>(2);
  const Vector<double> x1 = call.vector<double>(3), x2 = call.vector<double>(4);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < a.rows; ++i)
    x1[i] += dot(a[i], y1.data, a.columns);
  multiplyTransposed(1, a, y2.data, x2.data);
}

void gemver(const Call &call) {
  const double alpha = call.numbers[0], beta = call.numbers[1];
  const Vector<double> u1 = call.vector<double>(0), v1 = call.vector<double>(1);
  const Vector<double> u2 = call.vector<double>(2), v2 = call.vector<double>(3);
  const Vector<double> y = call.vector<double>(4), z = call.vector<double>(5);
  const Matrix<double> a = call.matrix<double>(6);
  const Vector<double> x = call.vector<double>(7), w = call.vector<double>(8);
#pragma omp parallel
  {
    std::vector<double> own(a.columns);
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < a.rows; ++i) {
      for (std::size_t j = 0; j < a.columns; ++j) {
        a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
        own[j] += beta * a[i][j] * y[i];
      }
    }
#pragma omp critical
    add(1, own.data(), x.data, x.size);
  }
  add(1, z.data, x.data, x.size);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < a.rows; ++i)
    w[i] = alpha * dot(a[i], x.data, a.columns);
}

void gesummv(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0), b = call.matrix<double>(1);
  const Vector<double> x = call.vector<double>(2), y = call.vector<double>(3);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < a.rows; ++i)
    y[i] = call.numbers[0] * dot(a[i], x.data, a.columns) +
           call.numbers[1] * dot(b[i], x.data, b.columns);
}

void symm(const Call &call) {
  const double alpha = call.numbers[0], beta = call.numbers[1];
  const Matrix<double> a = call.matrix<double>(0), b = call.matrix<double>(1),
                       c = call.matrix<double>(2);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.columns; ++j)
      c[i][j] *= beta;
    for (std::size_t k = 0; k < c.rows; ++k)
      add(alpha * (k <= i ? a[i][k] : a[k][i]), b[k], c[i], c.columns);
  }
}

void syrk(const Call &call) {
  const double alpha = call.numbers[0], beta = call.numbers[1];
  const Matrix<double> a = call.matrix<double>(0), c = call.matrix<double>(1);
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      c[i][j] = beta * c[i][j] + alpha * dot(a[i], a[j], a.columns);
  }
}

void syr2k(const Call &call) {
  const double alpha = call.numbers[0], beta = call.numbers[1];
  const Matrix<double> a = call.matrix<double>(0), b = call.matrix<double>(1),
                       c = call.matrix<double>(2);
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      c[i][j] = beta * c[i][j] + alpha * (dot(a[j], b[i], a.columns) + dot(b[j], a[i], a.columns));
  }
}

void trmm(const Call &call) {
  const double alpha = call.numbers[0];
  const Matrix<double> a = call.matrix<double>(0), b = call.matrix<double>(1);
  constexpr std::size_t block = 64; // columns, which do not depend on each other
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < b.columns; first += block) {
    const std::size_t width = std::min(block, b.columns - first);
    for (std::size_t i = 0; i < b.rows; ++i) {
      for (std::size_t k = i + 1; k < b.rows; ++k)
        add(a[k][i], b[k] + first, b[i] + first, width);
      for (std::size_t j = first; j < first + width; ++j)
        b[i][j] *= alpha;
    }
  }
}

void doitgen(const Call &call) {
  const Box<double> a = call.box<double>(0), out = call.box<double>(2);
  const Matrix<double> c4 = call.matrix<double>(1);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t r = 0; r < a.planes; ++r) {
    for (std::size_t q = 0; q < a.rows; ++q) {
      std::fill(out.row(r, q), out.row(r, q) + out.columns, 0.0);
      addRows(1, a.row(r, q), c4, out.row(r, q));
    }
  }
}

void covariance(const Call &call) {
  const Matrix<double> data = call.matrix<double>(0);
  center(data, call.vector<double>(1).data);
  multiplyWithItself(1 / (static_cast<double>(data.rows) - 1), data, call.matrix<double>(2));
}

void correlation(const Call &call) {
  const Matrix<double> data = call.matrix<double>(0), corr = call.matrix<double>(3);
  const Vector<double> deviation = call.vector<double>(2);
  center(data, call.vector<double>(1).data);
  std::fill(deviation.data, deviation.data + deviation.size, 0.0);
  for (std::size_t i = 0; i < data.rows; ++i) {
    for (std::size_t j = 0; j < data.columns; ++j)
      deviation[j] += data[i][j] * data[i][j];
  }
  const double count = static_cast<double>(data.rows);
  for (std::size_t j = 0; j < deviation.size; ++j) {
    const double root = std::sqrt(deviation[j] / count);
    deviation[j] = root <= 0.1 ? 1.0 : root;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < data.rows; ++i) {
    for (std::size_t j = 0; j < data.columns; ++j)
      data[i][j] /= std::sqrt(count) * deviation[j];
  }
  multiplyWithItself(1, data, corr);
  for (std::size_t i = 0; i < corr.rows; ++i)
    corr[i][i] = 1;
}
}
