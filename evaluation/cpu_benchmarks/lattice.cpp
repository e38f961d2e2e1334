// Steps of a lattice Boltzmann method, D2Q9.
#include "stencils.h"

namespace {

// Directions as codelets/lbm.cpp has them: rest, east, south, southeast, southwest, and those opposite to the latter
// four.
constexpr int directions = 9;
constexpr int east[directions] = {0, 1, 0, 1, -1, -1, 0, -1, 1};
constexpr int south[directions] = {0, 0, 1, 1, 1, 0, -1, -1, -1};

/// What becomes of the particles f that arrive at a cell: `to` in each direction.
template <class T>
[[gnu::always_inline]] inline void collide(T omega, bool wall, const T (&f)[directions],
                                           T (&to)[directions]) {
  T density = f[0], x = 0, y = 0;
#pragma GCC unroll 9
  for (int k = 1; k < directions; ++k) {
    density += f[k];
    x += T(east[k]) * f[k];
    y += T(south[k]) * f[k];
  }
  const T still = density - T(1.5) * (x * x + y * y);
#pragma GCC unroll 9
  for (int k = 0; k < directions; ++k) {
    const T weight = k == 0 ? T(4) / 9 : east[k] == 0 || south[k] == 0 ? T(1) / 9 : T(1) / 36;
    const T along = T(east[k]) * x + T(south[k]) * y;
    const T free = f[k] + omega * (weight * (still + along * (3 + T(4.5) * along)) - f[k]);
    const T back = f[k == 0 ? 0 : k < 5 ? k + 4 : k - 4];
    to[k] = wall ? back : free;
  }
}

/// A step: rows are shared out among threads; their ends, whose neighbours are at the other end, are apart.
template <class T>
void stepByHand(T omega, const int *wall, const T *in, T *out, std::size_t m, std::size_t n) {
  const std::size_t plane = m * n;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    const T *from[directions];
    T *to[directions];
    for (int k = 0; k < directions; ++k) {
      const std::size_t row = south[k] == 0 ? i : south[k] > 0 ? (i + m - 1) % m : (i + 1) % m;
      from[k] = in + static_cast<std::size_t>(k) * plane + row * n;
      to[k] = out + static_cast<std::size_t>(k) * plane + i * n;
    }
    const int *stop = wall + i * n;
    const auto cell = [&](std::size_t j, std::size_t left, std::size_t right)
                          __attribute__((always_inline)) {
                            T f[directions], g[directions];
#pragma GCC unroll 9
                            for (int k = 0; k < directions; ++k)
                              f[k] = from[k][east[k] == 0 ? j : east[k] > 0 ? left : right];
                            collide(omega, stop[j] != 0, f, g);
#pragma GCC unroll 9
                            for (int k = 0; k < directions; ++k)
                              to[k][j] = g[k];
                          };
    cell(0, n - 1, 1 % n);
#pragma omp simd
    for (std::size_t j = 1; j < n - 1; ++j)
      cell(j, j - 1, j + 1);
    if (n > 1)
      cell(n - 1, n - 2, 0);
  }
}

template <class T>
void stepsByHand(T omega, std::size_t steps, const int *wall, T *cells, T *others, std::size_t m,
                 std::size_t n) {
  for (std::size_t step = 0; step < steps; ++step)
    step % 2 == 0 ? stepByHand(omega, wall, cells, others, m, n)
                  : stepByHand(omega, wall, others, cells, m, n);
  if (steps % 2 != 0)
    std::copy(others, others + directions * m * n, cells);
}

/// What is right, in double: each cell by itself, from where its particles come.
std::vector<double> stepsInDouble(double omega, std::size_t steps, const Array<int> &wall,
                                  const Array<float> &cells, std::size_t m, std::size_t n) {
  std::vector<double> now(cells.begin(), cells.end()), next(now.size());
  for (std::size_t step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double f[directions], g[directions];
        for (std::size_t k = 0; k < directions; ++k) {
          const std::size_t row = (i + m - static_cast<std::size_t>(1 + south[k]) + 1) % m;
          const std::size_t column = (j + n - static_cast<std::size_t>(1 + east[k]) + 1) % n;
          f[k] = now[(k * m + row) * n + column];
        }
        collide(omega, wall[i * n + j] != 0, f, g);
        for (std::size_t k = 0; k < directions; ++k)
          next[(k * m + i) * n + j] = g[k];
      }
    }
    std::swap(now, next);
  }
  return now;
}

} // namespace

Row makeLbm(const Words &sizes) {
  const std::size_t m = sizeAt(sizes, 0);
  const std::size_t n = sizeAt(sizes, 1);
  static float omega = 0.8F;
  static unsigned steps;
  steps = static_cast<unsigned>(sizeAt(sizes, 2));
  // A channel with walls above and below and some obstacles; particles near their equilibrium, with a flow eastwards.
  auto wall = std::make_shared<Array<int>>(m * n);
  fill(*wall, [=](std::size_t e) {
    const std::size_t i = e / n, j = e % n;
    return i == 0 || i + 1 == m || (i % 64 > 28 && i % 64 < 36 && j % 128 < 8);
  });
  auto given = std::make_shared<Array<float>>(directions * m * n);
  fill(*given, [=](std::size_t e) {
    const std::size_t k = e / (m * n);
    const double along = 0.05 * east[k];
    const double weight = k == 0 ? 4.0 / 9 : k == 3 || k == 4 || k > 6 ? 1.0 / 36 : 1.0 / 9;
    return weight * (1 + 3 * along + 0.02 * (randomUnit(e, 1) - 0.5));
  });
  auto cells = std::make_shared<Array<float>>(given->size());
  auto others = std::make_shared<Array<float>>(given->size());
  Row row;
  row.bytes = 76.0 * static_cast<double>(m * n) * steps;
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&omega)
                     .cell(&steps)
                     .container(wall->data(), {m, n})
                     .container(cells->data(), {directions, m, n}));
  };
  row.peers = {{"OpenMP", [=] {
                  stepsByHand(omega, steps, wall->data(), cells->data(), others->data(), m, n);
                }}};
  row.restore = [=] { std::copy(given->begin(), given->end(), cells->data()); };
  judge(row, cells, stepsInDouble(double(omega), steps, *wall, *given, m, n), 1e-5);
  return row;
}
