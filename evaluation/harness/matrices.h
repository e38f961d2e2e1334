// Sparse matrices in compressed rows, graphs, and dense data that a problem asks for, the same on every machine:
// made, not downloaded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// Row i has entries offsets[i] to offsets[i + 1] - 1, sorted by column.
template <class T> struct Sparse {
  std::size_t columnCount = 0;
  std::vector<int> offsets{0}, columns;
  std::vector<T> values;
  std::size_t rows() const { return offsets.size() - 1; }
};

inline std::uint64_t mixed(std::uint64_t i, std::uint64_t seed) {
  std::uint64_t x = (i + (seed << 40)) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// The Poisson equation on side x side points, five-point stencil: 4 and -1.
template <class T> Sparse<T> poissonMatrix(std::size_t side) {
  Sparse<T> matrix;
  matrix.columnCount = side * side;
  const auto add = [&](std::size_t column, T value) {
    matrix.columns.push_back(static_cast<int>(column));
    matrix.values.push_back(value);
  };
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      const std::size_t row = y * side + x;
      if (y > 0)
        add(row - side, -1);
      if (x > 0)
        add(row - 1, -1);
      add(row, 4);
      if (x + 1 < side)
        add(row + 1, -1);
      if (y + 1 < side)
        add(row + side, -1);
      matrix.offsets.push_back(static_cast<int>(matrix.columns.size()));
    }
  }
  return matrix;
}

/// `rows` rows of very different lengths, 32 on average: one in 64 rows has half of all entries, as
/// the hubs of a network do. Columns are random.
template <class T> Sparse<T> irregularMatrix(std::size_t rows) {
  Sparse<T> matrix;
  matrix.columnCount = rows;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool hub = mixed(row, 11) % 64 == 0;
    const std::size_t length = hub ? 512 + mixed(row, 12) % 1025 : mixed(row, 13) % 33;
    const std::size_t begin = matrix.columns.size();
    for (std::size_t k = 0; k < length; ++k)
      matrix.columns.push_back(static_cast<int>(mixed(begin + k, 14) % rows));
    std::sort(matrix.columns.begin() + static_cast<std::ptrdiff_t>(begin), matrix.columns.end());
    matrix.offsets.push_back(static_cast<int>(matrix.columns.size()));
  }
  matrix.values.resize(matrix.columns.size());
  for (std::size_t i = 0; i < matrix.values.size(); ++i)
    matrix.values[i] = static_cast<T>(static_cast<double>(mixed(i, 15) >> 11) * 0x1p-52 - 1);
  return matrix;
}

/// A Matrix Market file of coordinates, real or pattern, general or symmetric.
template <class T> Sparse<T> readMatrix(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.rfind("%%MatrixMarket matrix coordinate", 0) != 0) {
    std::fprintf(stderr, "%s: expected a Matrix Market file of coordinates\n", path.c_str());
    std::exit(1);
  }
  const bool symmetric = line.find("symmetric") != std::string::npos;
  const bool pattern = line.find("pattern") != std::string::npos;
  while (std::getline(file, line) && line[0] == '%') {
  }
  std::size_t rows = 0, columns = 0, count = 0;
  std::istringstream(line) >> rows >> columns >> count;
  std::vector<std::vector<std::pair<int, T>>> entries(rows);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t row = 0, column = 0;
    double value = 1;
    file >> row >> column;
    if (!pattern)
      file >> value;
    entries.at(row - 1).emplace_back(static_cast<int>(column - 1), static_cast<T>(value));
    if (symmetric && row != column)
      entries.at(column - 1).emplace_back(static_cast<int>(row - 1), static_cast<T>(value));
  }
  Sparse<T> matrix;
  matrix.columnCount = columns;
  for (auto &row : entries) {
    std::sort(row.begin(), row.end());
    for (const auto &[column, value] : row) {
      matrix.columns.push_back(column);
      matrix.values.push_back(value);
    }
    matrix.offsets.push_back(static_cast<int>(matrix.columns.size()));
  }
  return matrix;
}

/// "poisson", "irregular" or a file; `size` is the side or the number of rows.
template <class T> Sparse<T> matrixOf(const std::string &kind, std::size_t size) {
  if (kind == "poisson")
    return poissonMatrix<T>(size);
  return kind == "irregular" ? irregularMatrix<T>(size) : readMatrix<T>(kind);
}

/// Every vertex is joined to `edges` random others, in one direction.
inline Sparse<char> randomGraph(std::size_t vertices, std::size_t edges) {
  Sparse<char> graph;
  graph.columnCount = vertices;
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t k = 0; k < edges; ++k)
      graph.columns.push_back(static_cast<int>(mixed(v * edges + k, 21) % vertices));
    std::sort(graph.columns.end() - static_cast<std::ptrdiff_t>(edges), graph.columns.end());
    graph.offsets.push_back(static_cast<int>(graph.columns.size()));
  }
  return graph;
}

/// side x side points, each joined to its neighbours.
inline Sparse<char> gridGraph(std::size_t side) {
  Sparse<char> graph;
  graph.columnCount = side * side;
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      const auto vertex = static_cast<int>(y * side + x);
      const auto width = static_cast<int>(side);
      if (y > 0)
        graph.columns.push_back(vertex - width);
      if (x > 0)
        graph.columns.push_back(vertex - 1);
      if (x + 1 < side)
        graph.columns.push_back(vertex + 1);
      if (y + 1 < side)
        graph.columns.push_back(vertex + width);
      graph.offsets.push_back(static_cast<int>(graph.columns.size()));
    }
  }
  return graph;
}

/// n numbers in [low, high).
template <class T>
std::vector<T> numbersBetween(std::size_t n, std::uint64_t seed, double low, double high) {
  std::vector<T> numbers(n);
  for (std::size_t i = 0; i < n; ++i)
    numbers[i] =
        static_cast<T>(low + (high - low) * static_cast<double>(mixed(i, seed) >> 11) * 0x1p-53);
  return numbers;
}

/// n by n random numbers in [-1, 1), with a diagonal of n: it can be decomposed without pivoting.
template <class T> std::vector<T> dominantMatrix(std::size_t n) {
  std::vector<T> a = numbersBetween<T>(n * n, 31, -1, 1);
  for (std::size_t i = 0; i < n; ++i)
    a[i * n + i] = static_cast<T>(n);
  return a;
}

/// A lattice of a lattice Boltzmann method, D2Q9, as codelets/lbm.cpp has it: m x n cells of a channel between two walls,
/// with obstacles, and nine planes of particles near their equilibrium, which flow eastwards.
template <class T> struct Lattice {
  std::vector<int> wall;
  std::vector<T> cells;
};

template <class T> Lattice<T> latticeOf(std::size_t m, std::size_t n) {
  constexpr int east[9] = {0, 1, 0, 1, -1, -1, 0, -1, 1};
  Lattice<T> made{std::vector<int>(m * n), numbersBetween<T>(9 * m * n, 37, -0.01, 0.01)};
  for (std::size_t e = 0; e < m * n; ++e) {
    const std::size_t i = e / n, j = e % n;
    made.wall[e] = i == 0 || i + 1 == m || (i % 64 > 28 && i % 64 < 36 && j % 128 < 8);
  }
  for (std::size_t k = 0; k < 9; ++k) {
    const double weight = k == 0 ? 4.0 / 9 : k == 3 || k == 4 || k > 6 ? 1.0 / 36 : 1.0 / 9;
    for (std::size_t e = k * m * n; e < (k + 1) * m * n; ++e)
      made.cells[e] =
          static_cast<T>(weight * (1 + 0.15 * east[k] + static_cast<double>(made.cells[e])));
  }
  return made;
}
