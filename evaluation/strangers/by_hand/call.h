// What a loop by hand is called with: the containers and the numbers of the program it stands beside, each in the order of
// its parameters. A function is called like the program's spectrum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

template <class T> struct Vector {
  T *data;
  std::size_t size;
  T &operator[](std::size_t i) const { return data[i]; }
};

template <class T> struct Matrix {
  T *data;
  std::size_t rows, columns;
  T *operator[](std::size_t i) const { return data + i * columns; }
};

template <class T> struct Box {
  T *data;
  std::size_t planes, rows, columns;
  T *row(std::size_t i, std::size_t j) const { return data + (i * rows + j) * columns; }
};

struct Call {
  void *const *containers;
  const std::size_t (*extents)[4]; ///< those that a container lacks are 1
  const double *numbers;           ///< scalar parameters

  template <class T> Vector<T> vector(std::size_t i) const {
    return {static_cast<T *>(containers[i]), extents[i][0]};
  }
  template <class T> Matrix<T> matrix(std::size_t i) const {
    return {static_cast<T *>(containers[i]), extents[i][0], extents[i][1]};
  }
  template <class T> Box<T> box(std::size_t i) const {
    return {static_cast<T *>(containers[i]), extents[i][0], extents[i][1], extents[i][2]};
  }
};

/// The sum of products of two rows.
inline double dot(const double *a, const double *b, std::size_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// y += factor * x
inline void add(double factor, const double *x, double *y, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i)
    y[i] += factor * x[i];
}
