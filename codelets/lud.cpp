// LU decomposition without pivoting, in place: A = L U, with L below the diagonal (which is ones) and U on it and
// above. A round takes a column of A out of the rows below: they shrink from round to round.
//
// For matrices that need no pivoting, such as those that are diagonally dominant.
#pragma once
#include <tangram.h>

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

template void lud<float>(Array<2, float>);
template void lud<double>(Array<2, double>);
