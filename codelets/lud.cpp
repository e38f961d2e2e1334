// LU decomposition without pivoting, in place: A = L U, with L below the diagonal (which is ones) and U on it and
// above. A round takes a column of A out of the rows below: they shrink from round to round.
//
// For matrices that need no pivoting, such as those that are diagonally dominant.
#pragma once
#include "gemm.cpp"

// Rows below the pivot's, all of which begin in its column: each loses as much of the pivot's row as takes its first
// element away, in whose place stands how much that was.
template <class T> __codelet
void eliminate(const Array<1, T> pivot, Array<2, T> below) {
  require(below.size(1) == pivot.size());
  for (unsigned i = 0; i < below.size(0); ++i) {
    T factor = below[i][0] / pivot[0];
    below[i][0] = factor;
    for (unsigned j = 1; j < pivot.size(); ++j)
      below[i][j] -= factor * pivot[j];
  }
}

// Lanes go along a row together.
template <class T> __codelet __coop __tag(eliminate_lanes)
void eliminate(const Array<1, T> pivot, Array<2, T> below) {
  for (unsigned i = 0; i < below.size(0); ++i) {
    T factor = below[i][0] / pivot[0];
    for (unsigned j = 1 + coopIdx(); j < pivot.size(); j += coopDim())
      below[i][j] -= factor * pivot[j];
    if (coopIdx() == 0)
      below[i][0] = factor;
  }
}

// As many blocks of rows as there are workers.
template <class T> __codelet __tag(eliminate_parts)
void eliminate(const Array<1, T> pivot, Array<2, T> below) {
  __tunable unsigned p;
  map(eliminate<T>, all(pivot), rows(below, p));
}

// Blocks of t rows.
template <class T> __codelet __tag(eliminate_blocks)
void eliminate(const Array<1, T> pivot, Array<2, T> below) {
  __tunable unsigned t = choice(4, 1, 16, 64);
  map(eliminate<T>, all(pivot), chunks(below, t));
}

template <class T> __codelet
void lud(Array<2, T> a) {
  require(a.size(0) == a.size(1));
  for (unsigned k = 0; k + 1 < a.size(0); ++k) {
    for (unsigned i = k + 1; i < a.size(0); ++i) {
      T factor = a[i][k] / a[k][k];
      a[i][k] = factor;
      for (unsigned j = k + 1; j < a.size(1); ++j)
        a[i][j] -= factor * a[k][j];
    }
  }
}

template <class T> __codelet __tag(lud_rounds)
void lud(Array<2, T> a) {
  unsigned n = a.size(0);
  for (unsigned k = 0; k + 1 < n; ++k)
    eliminate<T>(slice(a[k], k, n), slice(slice(a, k + 1, n), k, n, 1));
}

constexpr unsigned side = 32; // of the blocks below

// What is to the right of a block on the diagonal, and what is below it, by the block as it is before its own turn; of
// what is below, `minus` too. A lane has a row of the block or below it, or a column to the right.
template <class T> __codelet __coop __tag(edges_lanes)
void edges(const Array<2, T> block, Array<2, T> right, Array<2, T> below, Array<2, T> minus) {
  require(block.size(0) == side);
  require(block.size(1) == side);
  require(right.size(0) == side);
  require(below.size(1) == side);
  require(minus.size(1) == side);
  require(minus.size(0) == below.size(0));
  require(right.size(1) <= coopDim());
  require(side + below.size(0) + right.size(1) <= coopDim());
  __shared T lower[side * side];
  __shared T upper[side * side];
  __shared T rows[(side + 1) * coopDim()];
  unsigned id = coopIdx();
  unsigned count = side + below.size(0);
  unsigned column = id - count;
  for (unsigned e = id; e < side * side; e += coopDim())
    rows[e / side * (side + 1) + e % side] = block[e / side][e % side];
  for (unsigned e = id; e < below.size(0) * side; e += coopDim())
    rows[(side + e / side) * (side + 1) + e % side] = below[e / side][e % side];
  T x[side];
  for (unsigned j = 0; j < side; ++j)
    x[j] = id < count ? rows[id * (side + 1) + j] : column < right.size(1) ? right[j][column] : 0;
  for (unsigned k = 0; k < side; ++k) {
    if (id == k) {
      for (unsigned j = 0; j < side; ++j)
        upper[j * side + k] = x[j];
    }
    if (id > k && id < count) {
      x[k] /= upper[k * side + k];
      for (unsigned j = k + 1; j < side; ++j)
        x[j] -= x[k] * upper[j * side + k];
    }
    if (id < side)
      lower[id * side + k] = x[k];
    if (id >= count) {
      for (unsigned i = k + 1; i < side; ++i)
        x[i] -= lower[i * side + k] * x[k];
    }
  }
  for (unsigned j = 0; j < side; ++j) {
    if (id < count)
      rows[id * (side + 1) + j] = x[j];
    else if (column < right.size(1))
      right[j][column] = x[j];
  }
  for (unsigned e = id; e < below.size(0) * side; e += coopDim()) {
    T value = rows[(side + e / side) * (side + 1) + e % side];
    below[e / side][e % side] = value;
    minus[e / side][e % side] = -value;
  }
}

// Of some rows the block on the diagonal, which begins at column `first`.
template <class T> __codelet __tag(one_block)
void diagonal(unsigned first, Array<2, T> rows) {
  lud<T>(slice(rows, first, first + side, 1));
}

// Blocks: the edges of one, then all that is to the right and below. Those on the diagonal have their own turn last.
template <class T> __codelet __tag(lud_blocks)
void lud(Array<2, T> a) {
  __tunable unsigned t = choice(32, 64, 96);
  unsigned n = a.size(0);
  Array<2, T> minus(n, side);
  for (unsigned k = 0; k + side < n; k += side) {
    auto top = slice(a, k, k + side);
    auto rest = slice(a, k + side, n);
    map(edges<T>, all(slice(top, k, k + side, 1)), col_chunks(slice(top, k + side, n, 1), t),
        chunks(slice(rest, k, k + side, 1), t), chunks(slice(minus, k + side, n), t));
    gemm<T>(slice(minus, k + side, n), slice(top, k + side, n, 1), slice(rest, k + side, n, 1));
  }
  map(diagonal<T>, sequence(0, side, n), chunks(a, side));
}

template void lud<float>(Array<2, float>);
template void lud<double>(Array<2, double>);
