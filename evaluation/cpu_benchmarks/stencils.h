// Stencils of a matrix by hand, for any function of an element's 3 by 3 neighbourhood, and what is
// right; and those of a box for functions of 7 or 13 points.
#pragma once

#include "row.h"

#include <algorithm>
#include <cmath>

enum class Edge { Clamp, Zero, Wrap };

/// Where an index that is out of a container by at most its size lies; -1: nowhere, the value is 0.
template <Edge edge> std::ptrdiff_t inside(std::ptrdiff_t i, std::size_t size) {
  const auto n = static_cast<std::ptrdiff_t>(size);
  if (i >= 0 && i < n)
    return i;
  if (edge == Edge::Clamp)
    return i < 0 ? 0 : n - 1;
  return edge == Edge::Wrap ? (i + n) % n : -1;
}

template <Edge edge, class T>
T element(const T *in, std::size_t m, std::size_t n, std::ptrdiff_t i, std::ptrdiff_t j) {
  i = inside<edge>(i, m);
  j = inside<edge>(j, n);
  return i < 0 || j < 0 ? T(0) : in[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)];
}

template <Edge edge, class T>
T element(const T *in, const std::size_t (&extents)[3], std::ptrdiff_t i, std::ptrdiff_t j,
          std::ptrdiff_t k) {
  i = inside<edge>(i, extents[0]);
  j = inside<edge>(j, extents[1]);
  k = inside<edge>(k, extents[2]);
  return i < 0 || j < 0 || k < 0
             ? T(0)
             : in[(static_cast<std::size_t>(i) * extents[1] + static_cast<std::size_t>(j)) *
                      extents[2] +
                  static_cast<std::size_t>(k)];
}

/// Rows of a matrix, with zeros for those that are outside where the edge is zero.
template <Edge edge, class T> struct Rows {
  Rows(const T *in, std::size_t m, std::size_t n) : in(in), m(m), n(n), zeros(n) {}
  const T *operator()(std::ptrdiff_t i) const {
    i = inside<edge>(i, m);
    return i < 0 ? zeros.data() : in + static_cast<std::size_t>(i) * n;
  }
  const T *in;
  std::size_t m, n;
  std::vector<T> zeros;
};

/// The inner part of row i. A function of its own, whose calls are all inlined, so that it is in vectors.
template <class T, class At>
[[gnu::flatten, gnu::noinline]] void nineInside(const T *up, const T *here, const T *down, T *to,
                                                std::size_t i, std::size_t last, const At &at) {
  const At own = at;
#pragma omp simd
  for (std::size_t j = 1; j < last; ++j)
    to[j] = own(i, j, up[j - 1], up[j], up[j + 1], here[j - 1], here[j], here[j + 1], down[j - 1],
                down[j], down[j + 1]);
}

/// By hand: rows shared out among threads, their ends apart, in between nothing but the stencil.
/// `at(i, j, nw, n, ne, w, c, e, sw, s, se)`.
template <Edge edge, class T, class At>
void nineByHand(const T *in, T *out, std::size_t m, std::size_t n, const At &at) {
  const Rows<edge, T> rows(in, m, n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    const auto row = static_cast<std::ptrdiff_t>(i);
    const T *up = rows(row - 1);
    const T *here = rows(row);
    const T *down = rows(row + 1);
    T *to = out + i * n;
    const auto end = [&](std::size_t j) {
      const auto value = [&](const T *of, std::ptrdiff_t k) {
        k = inside<edge>(k, n);
        return k < 0 ? T(0) : of[k];
      };
      const auto k = static_cast<std::ptrdiff_t>(j);
      to[j] = at(i, j, value(up, k - 1), up[j], value(up, k + 1), value(here, k - 1), here[j],
                 value(here, k + 1), value(down, k - 1), down[j], value(down, k + 1));
    };
    end(0);
    const std::size_t last = std::max(n, std::size_t{1}) - 1;
    nineInside(up, here, down, to, i, last, at);
    if (last > 0)
      end(last);
  }
}

/// What is right, in double.
template <Edge edge, class T, class At>
std::vector<double> nineInDouble(const Array<T> &in, std::size_t m, std::size_t n, const At &at) {
  const std::vector<double> wide(in.begin(), in.end());
  std::vector<double> out(m * n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto value = [&](int down, int right) {
        return element<edge>(wide.data(), m, n, static_cast<std::ptrdiff_t>(i) + down,
                             static_cast<std::ptrdiff_t>(j) + right);
      };
      out[i * n + j] = at(i, j, value(-1, -1), value(-1, 0), value(-1, 1), value(0, -1),
                          value(0, 0), value(0, 1), value(1, -1), value(1, 0), value(1, 1));
    }
  }
  return out;
}

/// Rows around one of a box: of the same plane, and of the same number in other planes.
template <int reach, class T> struct RowsAround {
  const T *in_plane[2 * reach + 1], *across_planes[2 * reach + 1];
  const T *operator()(int di, int dj) const {
    return di == 0 ? in_plane[dj + reach] : across_planes[di + reach];
  }
};

/// Elements [from, to) of a row that begins at e, which have all their neighbours along it; likewise.
template <int reach, class T, class At>
[[gnu::flatten, gnu::noinline]] void boxInside(const RowsAround<reach, T> &around, T *to_row,
                                               std::size_t e, std::size_t from, std::size_t to,
                                               const At &at) {
  const At own = at;
#pragma omp simd
  for (std::size_t k = from; k < to; ++k)
    to_row[k] = own(e + k, [&, k](int di, int dj, int dk) {
      return around(di, dj)[static_cast<std::ptrdiff_t>(k) + dk];
    });
}

/// By hand, of a box: `at(e, value)`, where e is the position of the element and value(i, j, k) what is so
/// far from it along one of the dimensions. Rows are shared out among threads, their ends apart.
template <Edge edge, int reach, class T, class At>
void boxByHand(const T *in, T *out, const std::size_t (&extents)[3], const At &at) {
  const std::size_t l = extents[0];
  const std::size_t m = extents[1];
  const std::size_t n = extents[2];
  const std::vector<T> zeros(n);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t i = 0; i < l; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      const auto row = [&](std::ptrdiff_t plane, std::ptrdiff_t number) {
        plane = inside<edge>(plane, l);
        number = inside<edge>(number, m);
        return plane < 0 || number < 0
                   ? zeros.data()
                   : in + (static_cast<std::size_t>(plane) * m + static_cast<std::size_t>(number)) *
                              n;
      };
      RowsAround<reach, T> around;
      for (int d = -reach; d <= reach; ++d) {
        around.in_plane[d + reach] =
            row(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(j) + d);
        around.across_planes[d + reach] =
            row(static_cast<std::ptrdiff_t>(i) + d, static_cast<std::ptrdiff_t>(j));
      }
      const std::size_t e = (i * m + j) * n;
      const auto slowly = [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k)
          out[e + k] = at(e + k, [&](int di, int dj, int dk) {
            const auto there = inside<edge>(static_cast<std::ptrdiff_t>(k) + dk, n);
            return there < 0 ? T(0) : around(di, dj)[there];
          });
      };
      const std::size_t first = std::min<std::size_t>(reach, n);
      const std::size_t last = std::max(first, n - std::min<std::size_t>(reach, n));
      slowly(0, first);
      boxInside(around, out + e, e, first, last, at);
      slowly(last, n);
    }
  }
}

template <Edge edge, class T, class At>
std::vector<double> boxInDouble(const Array<T> &in, const std::size_t (&extents)[3], const At &at) {
  const std::vector<double> wide(in.begin(), in.end());
  std::vector<double> out(wide.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < extents[0]; ++i) {
    for (std::size_t j = 0; j < extents[1]; ++j) {
      for (std::size_t k = 0; k < extents[2]; ++k) {
        const std::size_t e = (i * extents[1] + j) * extents[2] + k;
        out[e] = at(e, [&](int di, int dj, int dk) {
          return element<edge>(wide.data(), extents, static_cast<std::ptrdiff_t>(i) + di,
                               static_cast<std::ptrdiff_t>(j) + dj,
                               static_cast<std::ptrdiff_t>(k) + dk);
        });
      }
    }
  }
  return out;
}

/// Numbers in [low, high).
inline std::shared_ptr<Array<float>> numbers(std::size_t size, std::uint64_t seed, double low = -1,
                                             double high = 1) {
  auto array = std::make_shared<Array<float>>(size);
  fill(*array, [=](std::size_t i) { return low + (high - low) * randomUnit(i, seed); });
  return array;
}

/// What is written has to be this, within a bound.
template <class T>
void judge(Row &row, std::shared_ptr<Array<T>> out, std::vector<double> expected, double bound) {
  row.forget = [=] { fill(*out, [](std::size_t) { return 77; }); };
  row.wrong = [=, truth = std::make_shared<std::vector<double>>(std::move(expected))] {
    return firstDifference(out->data(), truth->data(), truth->size(), bound);
  };
}
