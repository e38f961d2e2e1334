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
  typical(a.size(0), 2048);
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

// What is to the right of a block on the diagonal and what is below it, by the block as it is before its own turn; both
// go to `top` and `minus` as well, for a product with nothing else in their memory.
template <class T> __codelet
void edges(const Array<2, T> block, Array<2, T> right, Array<2, T> below, Array<2, T> top, Array<2, T> minus) {
  require(block.size(0) == side);
  require(block.size(1) == side);
  require(right.size(0) == side);
  require(below.size(1) == side);
  require(top.size(0) == side);
  require(top.size(1) == right.size(1));
  require(minus.size(1) == side);
  require(minus.size(0) == below.size(0));
  require(below.size(0) == right.size(1));
  require(right.size(1) <= side);
  T own[side][side];
  T columns[side][side];
  T rows[side][side];
  T solved[side][side];
  unsigned count = min(side, (unsigned)right.size(1));
  for (unsigned i = 0; i < side; ++i) {
    for (unsigned j = 0; j < side; ++j) {
      own[i][j] = block[i][j];
      rows[i][j] = 0;
    }
  }
  for (unsigned c = 0; c < count; ++c) {
    for (unsigned i = 0; i < side; ++i)
      rows[i][c] = below[c][i];
  }
  for (unsigned k = 0; k < side; ++k) {
    T pivot[side];
    for (unsigned j = 0; j < side; ++j)
      pivot[j] = own[k][j];
    for (unsigned i = k + 1; i < side; ++i) {
      T factor = own[i][k] / pivot[k];
      own[i][k] = factor;
      for (unsigned j = k + 1; j < side; ++j)
        own[i][j] -= factor * pivot[j];
    }
  }
  for (unsigned i = 0; i < side; ++i) {
    T column[side];
    T row[side];
    for (unsigned c = 0; c < side; ++c) {
      column[c] = c < count ? right[i][c] : 0;
      row[c] = rows[i][c];
    }
    for (unsigned k = 0; k < i; ++k) {
      for (unsigned c = 0; c < side; ++c) {
        column[c] -= own[i][k] * columns[k][c];
        row[c] -= own[k][i] * rows[k][c];
      }
    }
    for (unsigned c = 0; c < side; ++c) {
      columns[i][c] = column[c];
      rows[i][c] = row[c] / own[i][i];
    }
    for (unsigned c = 0; c < count; ++c) {
      right[i][c] = column[c];
      top[i][c] = column[c];
    }
  }
  for (unsigned c = 0; c < side; ++c) {
    for (unsigned i = 0; i < side; ++i)
      solved[c][i] = rows[i][c];
  }
  for (unsigned c = 0; c < count; ++c) {
    for (unsigned i = 0; i < side; ++i) {
      below[c][i] = solved[c][i];
      minus[c][i] = -solved[c][i];
    }
  }
}

// A lane has a row of the block or below it, or a column to the right.
template <class T> __codelet __coop __tag(edges_lanes)
void edges(const Array<2, T> block, Array<2, T> right, Array<2, T> below, Array<2, T> top, Array<2, T> minus) {
  require(right.size(1) <= coopDim());
  require(side + below.size(0) + right.size(1) <= coopDim());
  __shared T lower[side * side];
  __shared T upper[side * side];
  __shared T rows[(side + 1) * coopDim()];
  unsigned id = coopIdx();
  unsigned count = side + below.size(0);
  unsigned column = id - count;
  for (unsigned e = id; e < count * side; e += coopDim())
    rows[e / side * (side + 1) + e % side] = e < side * side ? block[e / side][e % side] : below[e / side - side][e % side];
  T x[side];
  for (unsigned j = 0; j < side; ++j)
    x[j] = id < count ? rows[id * (side + 1) + j] : column < right.size(1) ? right[j][column] : 0;
  for (unsigned k = 0; k < side; ++k) {
    if (id == k) {
      for (unsigned j = 0; j < side; ++j)
        upper[id * side + j] = k + j < side ? x[j] : 0;
    }
    T first = id < count ? x[0] / upper[k * side] : x[0];
    if (id < side)
      lower[k * side + (id + side - k) % side] = id > k ? first : 0;
    for (unsigned j = 1; j < side; ++j)
      x[j - 1] = x[j] - first * (id < count ? upper[k * side + j] : lower[k * side + j]);
    x[side - 1] = first;
  }
  if (id < count) {
    for (unsigned j = 0; j < side; ++j)
      rows[id * (side + 1) + j] = x[j];
  } else if (column < right.size(1)) {
    for (unsigned j = 0; j < side; ++j) {
      right[j][column] = x[j];
      top[j][column] = x[j];
    }
  }
  for (unsigned e = id; e < below.size(0) * side; e += coopDim()) {
    T value = rows[(side + e / side) * (side + 1) + e % side];
    below[e / side][e % side] = value;
    minus[e / side][e % side] = -value;
  }
}

// A tile, of as many a row as there are rows of tiles, if it lies on the diagonal.
template <class T> __codelet
void diagonal(unsigned number, unsigned row, Array<2, T> tile) {
  if (number % (row + 1) == 0) {
    for (unsigned k = 0; k + 1 < tile.size(0) && k < tile.size(1); ++k) {
      for (unsigned i = k + 1; i < tile.size(0); ++i) {
        T factor = tile[i][k] / tile[k][k];
        tile[i][k] = factor;
        for (unsigned j = k + 1; j < tile.size(1); ++j)
          tile[i][j] -= factor * tile[k][j];
      }
    }
  }
}

// A lane has a row. Its first number is done in each step, and goes behind the others.
template <class T> __codelet __coop __tag(diagonal_lanes)
void diagonal(unsigned number, unsigned row, Array<2, T> tile) {
  require(tile.size(0) <= side);
  require(tile.size(1) <= side);
  require(tile.size(0) <= coopDim());
  if (number % (row + 1) == 0) {
    __shared T pivot[side * side];
    unsigned id = coopIdx();
    unsigned n = tile.size(0);
    unsigned m = tile.size(1);
    unsigned steps = min(n, m);
    T x[side];
    for (unsigned j = 0; j < side; ++j)
      x[j] = id < n && j < m ? tile[id][j] : 0;
    for (unsigned k = 0; k < side; ++k) {
      if (id == k) {
        for (unsigned j = 0; j < side; ++j)
          pivot[id * side + j] = k + j < side ? x[j] : 0;
      }
      T factor = id > k && k < steps ? x[0] / pivot[k * side] : 0;
      T done = id > k ? factor : x[0];
      for (unsigned j = 1; j < side; ++j)
        x[j - 1] = x[j] - (k < steps ? factor * pivot[k * side + j] : 0);
      x[side - 1] = done;
    }
    if (id < n) {
      for (unsigned j = 0; j < side; ++j) {
        if (j < m)
          tile[id][j] = x[j];
      }
    }
  }
}

// Blocks: the edges of one, then all that is to the right and below. Those on the diagonal have their own turn last.
template <class T> __codelet __tag(lud_blocks)
void lud(Array<2, T> a) {
  __tunable unsigned t = choice(32, 64, 96, 16);
  unsigned n = a.size(0);
  Array<2, T> top(side, n);
  Array<2, T> minus(n, side);
  for (unsigned k = 0; k + side < n; k += side) {
    auto rows = slice(a, k, k + side);
    auto rest = slice(a, k + side, n);
    map(edges<T>, all(slice(rows, k, k + side, 1)), col_chunks(slice(rows, k + side, n, 1), t),
        chunks(slice(rest, k, k + side, 1), t), col_chunks(slice(top, k + side, n, 1), t),
        chunks(slice(minus, k + side, n), t));
    gemm<T>(slice(minus, k + side, n), slice(top, k + side, n, 1), slice(rest, k + side, n, 1));
  }
  unsigned row = (n + side - 1) / side;
  map(diagonal<T>, sequence(0, 1, row * row), row, tile_chunks(a, side, side));
}

template void lud<float>(Array<2, float>);
template void lud<double>(Array<2, double>);
