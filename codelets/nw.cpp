// Needleman-Wunsch: how well two sequences can be aligned, for all pairs of their beginnings. Numbers on one
// antidiagonal depend on those of the two before it, so that a round computes a diagonal: they grow and shrink.
//
// table[d][i] is of the first i of a and the first d - i of b: an antidiagonal is a row. Where there are no such
// beginnings it is 0.
#pragma once
#include <tangram.h>

// All zeros, but along the borders, where one of the beginnings is empty.
template <class T> __codelet
void nw_borders(T gap, unsigned n, unsigned m, unsigned first, Array<2, T> table) {
  for (unsigned r = 0; r < table.size(0); ++r) {
    for (unsigned i = 0; i < table.size(1); ++i) {
      unsigned d = first + r;
      table[r][i] = (i == 0 && d <= m) || (i == d && d <= n) ? (T)d * gap : 0;
    }
  }
}

// Lanes go along a row together.
template <class T> __codelet __coop __tag(borders_lanes)
void nw_borders(T gap, unsigned n, unsigned m, unsigned first, Array<2, T> table) {
  for (unsigned r = 0; r < table.size(0); ++r) {
    unsigned d = first + r;
    for (unsigned i = coopIdx(); i < table.size(1); i += coopDim())
      table[r][i] = (i == 0 && d <= m) || (i == d && d <= n) ? (T)d * gap : 0;
  }
}

template <class T> __codelet __tag(borders_parts)
void nw_borders(T gap, unsigned n, unsigned m, unsigned first, Array<2, T> table) {
  __tunable unsigned p;
  unsigned tile = (table.size(0) + p - 1) / p;
  map(nw_borders<T>, gap, n, m, sequence(first, tile, first + tile * p + 1), rows(table, p));
}

// Part of a diagonal: `a` as long as it, of b what a[from] meets first and then what is before that; `corner` is of one
// less in both beginnings, `side` of one less in the one or the other.
template <class T> __codelet
void nw_inside(unsigned top, unsigned from, T same, T other, T gap, const Array<1, char> a, const Array<1, char> b,
               const Array<1, T> corner, const Array<1, T> side, Array<1, T> out) {
  require(a.size() == out.size());
  require(corner.size() == out.size());
  require(side.size() == out.size() + 1);
  for (unsigned i = 0; i < out.size(); ++i) {
    T aligned = corner[i] + (a[i] == b[top - from - i] ? same : other);
    out[i] = max(aligned, max(side[i], side[i + 1]) + gap);
  }
}

template <class T> __codelet __coop __tag(inside_lanes)
void nw_inside(unsigned top, unsigned from, T same, T other, T gap, const Array<1, char> a, const Array<1, char> b,
               const Array<1, T> corner, const Array<1, T> side, Array<1, T> out) {
  for (unsigned i = coopIdx(); i < out.size(); i += coopDim()) {
    T aligned = corner[i] + (a[i] == b[top - from - i] ? same : other);
    out[i] = max(aligned, max(side[i], side[i + 1]) + gap);
  }
}

// As many parts as there are workers.
template <class T> __codelet __tag(inside_parts)
void nw_inside(unsigned top, unsigned from, T same, T other, T gap, const Array<1, char> a, const Array<1, char> b,
               const Array<1, T> corner, const Array<1, T> side, Array<1, T> out) {
  __tunable unsigned p;
  unsigned tile = (out.size() + p - 1) / p;
  map(nw_inside<T>, top, sequence(from, tile, from + tile * p + 1), same, other, gap, rows(a, p), all(b),
      rows(corner, p), rows(side, p, 1), rows(out, p));
}

// Of the first i letters of the one and d - i of m of the other.
template <class T>
T nw_score(unsigned i, unsigned d, unsigned m, T aligned, T above, T beside, T gap) {
  return i > d || d - i > m ? 0 : i == 0 || i == d ? (T)d * gap : max(aligned, max(above, beside) + gap);
}

// The diagonals from number `top` on, of the columns from `first` on, by the two before them: `corner` and `side` begin
// as many columns before `out` as it may have diagonals, since each needs one more of those before it. So parts need
// nothing of each other, and compute again what lies before them. `a` has the letters of columns as `side` has these.
// A lane has a column, and sees its neighbour's: lanes meet once a diagonal.
template <class T> __codelet __coop __tag(band_lanes)
void nw_band(unsigned top, unsigned first, T same, T other, T gap, const Array<1, char> a, const Array<1, char> b,
             const Array<1, T> corner, const Array<1, T> side, Array<2, T> out) {
  require(a.size() == side.size());
  require(corner.size() == side.size());
  require(side.size() <= coopDim());
  require(out.size(0) < coopDim());
  require(out.size(1) <= coopDim());
  __shared T even[coopDim()];
  __shared T odd[coopDim()];
  __shared char letters[2 * coopDim()];
  unsigned id = coopIdx();
  unsigned width = side.size();
  unsigned m = b.size();
  unsigned before = width - out.size(1);
  unsigned i = first + id - before;
  unsigned met = top + before - first - coopDim();
  bool own = id >= before && id < width;
  char letter = id < width ? a[id] : 0;
  T across = id > 0 && id <= width ? corner[id - 1] : 0;
  T score = id < width ? side[id] : 0;
  for (unsigned k = id; k < 2 * coopDim(); k += coopDim())
    letters[k] = met + k < m ? b[met + k] : 0;
  even[id] = score;
  for (unsigned r = 0; r < out.size(0); r += 2) {
    T beside = id > 0 ? even[id - 1] : 0;
    T aligned = across + (letter == letters[r + coopDim() - 1 - id] ? same : other);
    score = nw_score<T>(i, top + r, m, aligned, score, beside, gap);
    odd[id] = score;
    if (own)
      out[r][id - before] = score;
    across = id > 0 ? odd[id - 1] : 0;
    aligned = beside + (letter == letters[r + coopDim() - id] ? same : other);
    score = nw_score<T>(i, top + r + 1, m, aligned, score, across, gap);
    even[id] = score;
    if (own && r + 1 < out.size(0))
      out[r + 1][id - before] = score;
  }
}

// Of equal letters `same`, of different ones `other`, of one that is left out `gap`.
template <class T> __codelet
void nw(T same, T other, T gap, const Array<1, char> a, const Array<1, char> b, Array<2, T> table) {
  require(table.size(0) == a.size() + b.size() + 1);
  require(table.size(1) == a.size() + 1);
  typical(a.size(), 4096);
  typical(b.size(), 4096);
  for (unsigned d = 0; d < table.size(0); ++d) {
    for (unsigned i = 0; i < table.size(1); ++i) {
      T score = 0;
      if (i <= d && d - i <= b.size()) {
        if (i == 0 || i == d)
          score = (T)d * gap;
        else
          score = max(table[d - 2][i - 1] + (a[i - 1] == b[d - i - 1] ? same : other),
                      max(table[d - 1][i - 1], table[d - 1][i]) + gap);
      }
      table[d][i] = score;
    }
  }
}

template <class T> __codelet __tag(nw_rounds)
void nw(T same, T other, T gap, const Array<1, char> a, const Array<1, char> b, Array<2, T> table) {
  unsigned n = a.size();
  unsigned m = b.size();
  nw_borders<T>(gap, n, m, 0, table);
  for (unsigned d = 2; d < n + m + 1; ++d) {
    unsigned first = d > m ? d - m : 1;
    unsigned last = min(d, n + 1);
    nw_inside<T>(d - first - 1, 0, same, other, gap, slice(a, first - 1, last - 1), b,
                 slice(table[d - 2], first - 1, last - 1), slice(table[d - 1], first - 1, last),
                 slice(table[d], first, last));
  }
}

// So many diagonals a round, in parts as wide as the groups of a GPU.
template <class T> __codelet __tag(nw_bands) __env(opencl, cuda)
void nw(T same, T other, T gap, const Array<1, char> a, const Array<1, char> b, Array<2, T> table) {
  __tunable unsigned h = choice(128, 64, 32, 8);
  __tunable unsigned w = choice(128, 64, 192, 8);
  unsigned n = a.size();
  unsigned m = b.size();
  nw_borders<T>(gap, n, m, 0, slice(table, 0, 2));
  for (unsigned d = 2; d < n + m + 1; d += h)
    map(nw_band<T>, d, sequence(0, w, n + 1), same, other, gap, chunks(pad(a, h + 1, 0, constant(0)), w, h), all(b),
        chunks(pad(table[d - 2], h, 0, constant(0)), w, h), chunks(pad(table[d - 1], h, 0, constant(0)), w, h),
        col_chunks(slice(table, d, d + h), w));
}

template void nw<float>(float, float, float, const Array<1, char>, const Array<1, char>, Array<2, float>);
template void nw<int>(int, int, int, const Array<1, char>, const Array<1, char>, Array<2, int>);
