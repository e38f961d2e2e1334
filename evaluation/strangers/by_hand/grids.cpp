// PolyBench's stencils by hand: the rows of a step in parallel; Gauss and Seidel's in waves over rows and steps.
#include "call.h"

namespace {

std::size_t steps(const Call &call) { return static_cast<std::size_t>(call.numbers[0]); }

void heat(Box<double> a, Box<double> b) {
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t i = 1; i < a.planes - 1; ++i) {
    for (std::size_t j = 1; j < a.rows - 1; ++j) {
      const double *at = a.row(i, j), *before = a.row(i - 1, j), *behind = a.row(i + 1, j);
      const double *above = a.row(i, j - 1), *below = a.row(i, j + 1);
      double *out = b.row(i, j);
#pragma omp simd
      for (std::size_t k = 1; k < a.columns - 1; ++k)
        out[k] = 0.25 * at[k] +
                 0.125 * (before[k] + behind[k] + above[k] + below[k] + at[k - 1] + at[k + 1]);
    }
  }
}

void jacobi(Matrix<double> a, Matrix<double> b) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 1; i < a.rows - 1; ++i) {
#pragma omp simd
    for (std::size_t j = 1; j < a.columns - 1; ++j)
      b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
  }
}

} // namespace

extern "C" {

void heat_3d(const Call &call) {
  const Box<double> a = call.box<double>(0), b = call.box<double>(1);
  for (std::size_t t = 0; t < steps(call); ++t) {
    heat(a, b);
    heat(b, a);
  }
}

void jacobi_2d(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0), b = call.matrix<double>(1);
  for (std::size_t t = 0; t < steps(call); ++t) {
    jacobi(a, b);
    jacobi(b, a);
  }
}

void jacobi_1d(const Call &call) {
  const Vector<double> a = call.vector<double>(0), b = call.vector<double>(1);
  for (std::size_t t = 0; t < steps(call); ++t) {
    for (std::size_t i = 1; i < a.size - 1; ++i)
      b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    for (std::size_t i = 1; i < a.size - 1; ++i)
      a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }
}

void seidel_2d(const Call &call) {
  const Matrix<double> a = call.matrix<double>(0);
  const std::size_t inside = a.rows - 2, count = steps(call);
  // Row i of step t needs the row above it of the same step, and the row below it of the step before.
  for (std::size_t wave = 0; wave + 1 < inside + 2 * count; ++wave) {
    const std::size_t first = wave < inside ? 0 : (wave - inside) / 2 + 1;
#pragma omp parallel for schedule(static)
    for (std::size_t t = first; t < std::min(count, wave / 2 + 1); ++t) {
      const std::size_t i = wave - 2 * t + 1;
      for (std::size_t j = 1; j < a.columns - 1; ++j)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] +
                   a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) /
                  9;
    }
  }
}

void fdtd_2d(const Call &call) {
  const Vector<double> source = call.vector<double>(0);
  const Matrix<double> ex = call.matrix<double>(1), ey = call.matrix<double>(2),
                       hz = call.matrix<double>(3);
  const std::size_t columns = ex.columns;
  for (std::size_t t = 0; t < source.size; ++t) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < ex.rows; ++i) {
        if (i == 0)
          std::fill(ey[0], ey[0] + columns, source[t]);
        for (std::size_t j = 0; i > 0 && j < columns; ++j)
          ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (std::size_t j = 1; j < columns; ++j)
          ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
      }
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < ex.rows - 1; ++i) {
        for (std::size_t j = 0; j < columns - 1; ++j)
          hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
      }
    }
  }
}

void adi(const Call &call) {
  const Matrix<double> u = call.matrix<double>(0), v = call.matrix<double>(1);
  const Matrix<double> p = call.matrix<double>(2), q = call.matrix<double>(3);
  const std::size_t n = u.rows, count = steps(call);
  const double ratio = static_cast<double>(n) * static_cast<double>(n) / static_cast<double>(count);
  const double a = -ratio, b = 1 + 2 * ratio, d = -ratio / 2, e = 1 + ratio;
  for (std::size_t t = 0; t < count; ++t) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 1; i < n - 1; ++i) {
      v[0][i] = 1;
      p[i][0] = 0;
      q[i][0] = 1;
      for (std::size_t j = 1; j < n - 1; ++j) {
        const double factor = 1 / (a * p[i][j - 1] + b);
        p[i][j] = -a * factor;
        q[i][j] =
            (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - d * u[j][i + 1] - a * q[i][j - 1]) * factor;
      }
      v[n - 1][i] = 1;
      for (std::size_t j = n - 2; j >= 1; --j)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 1; i < n - 1; ++i) {
      u[i][0] = 1;
      p[i][0] = 0;
      q[i][0] = 1;
      for (std::size_t j = 1; j < n - 1; ++j) {
        const double factor = 1 / (d * p[i][j - 1] + e);
        p[i][j] = -d * factor;
        q[i][j] =
            (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - a * v[i + 1][j] - d * q[i][j - 1]) * factor;
      }
      u[i][n - 1] = 1;
      for (std::size_t j = n - 2; j >= 1; --j)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}
}
