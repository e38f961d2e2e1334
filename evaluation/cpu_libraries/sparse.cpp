// y = A x for matrices in compressed rows, in double.
#include "row.h"

#include "../harness/matrices.h"

#include <omp.h>

#include <Eigen/SparseCore>

#include <algorithm>

namespace {

using Map = Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor, int>>;

double rowTimes(const Sparse<double> &a, std::size_t row, const double *x) {
  double accum = 0;
#pragma omp simd reduction(+ : accum)
  for (int k = a.offsets[row]; k < a.offsets[row + 1]; ++k)
    accum += a.values[static_cast<std::size_t>(k)] * x[a.columns[static_cast<std::size_t>(k)]];
  return accum;
}

/// The usual loop, rows dealt out in blocks as threads become free.
void byRows(const Sparse<double> &a, const double *x, double *y) {
#pragma omp parallel for schedule(dynamic, 512)
  for (std::size_t row = 0; row < a.rows(); ++row)
    y[row] = rowTimes(a, row, x);
}

/// A part with as many entries for every thread, found by bisection.
void byEntries(const Sparse<double> &a, const double *x, double *y) {
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto firstOf = [&](std::size_t thread) {
      const auto entry = static_cast<int>(a.columns.size() * thread / threads);
      return static_cast<std::size_t>(
          std::lower_bound(a.offsets.begin(), a.offsets.end() - 1, entry) - a.offsets.begin());
    };
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t end = thread + 1 == threads ? a.rows() : firstOf(thread + 1);
    for (std::size_t row = thread == 0 ? 0 : firstOf(thread); row < end; ++row)
      y[row] = rowTimes(a, row, x);
  }
}

} // namespace

Row makeSpmv(const Words &sizes) {
  auto a = std::make_shared<Sparse<double>>(
      matrixOf<double>(sizes.at(0), sizes.size() > 1 ? sizeAt(sizes, 1) : 0));
  const std::size_t rows = a->rows();
  const std::size_t entries = a->columns.size();
  auto x = std::make_shared<Array<double>>(a->columnCount);
  auto y = std::make_shared<Array<double>>(rows);
  fill(*x, [](std::size_t i) { return 2 * randomUnit(i, 2) - 1; });
  std::vector<double> expected(rows), bounds(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    long double accum = 0;
    double magnitude = 0;
    for (auto k = static_cast<std::size_t>(a->offsets[row]);
         k < static_cast<std::size_t>(a->offsets[row + 1]); ++k) {
      const double product = a->values[k] * (*x)[static_cast<std::size_t>(a->columns[k])];
      accum += product;
      magnitude += product < 0 ? -product : product;
    }
    expected[row] = static_cast<double>(accum);
    bounds[row] = 1e-13 * magnitude;
  }
  Row row;
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(a->values.data(), {entries})
                     .container(a->columns.data(), {entries})
                     .container(a->offsets.data(), {rows + 1})
                     .container(x->data(), {a->columnCount})
                     .container(y->data(), {rows}));
  };
  row.peers = {
      {"Eigen",
       [=] {
         const Map map(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(a->columnCount),
                       static_cast<Eigen::Index>(entries), a->offsets.data(), a->columns.data(),
                       a->values.data());
         Eigen::Map<Eigen::VectorXd>(y->data(), map.rows()).noalias() =
             map * Eigen::Map<const Eigen::VectorXd>(x->data(), map.cols());
       }},
      {"loop over rows", [=] { byRows(*a, x->data(), y->data()); }},
      {"loop, balanced by entries", [=] { byEntries(*a, x->data(), y->data()); }},
  };
  row.forget = [=] { fill(*y, [](std::size_t) { return -1e300; }); };
  row.wrong = [=]() -> std::string {
    const std::size_t i = firstWrong(rows, [&](std::size_t each) {
      return !(std::abs((*y)[each] - expected[each]) <= bounds[each]);
    });
    return i == rows ? ""
                     : "row " + std::to_string(i) + " is " + std::to_string((*y)[i]) +
                           ", expected " + std::to_string(expected[i]);
  };
  return row;
}
