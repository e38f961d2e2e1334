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

// Of equal letters `same`, of different ones `other`, of one that is left out `gap`.
template <class T> __codelet
void nw(T same, T other, T gap, const Array<1, char> a, const Array<1, char> b, Array<2, T> table) {
  require(table.size(0) == a.size() + b.size() + 1);
  require(table.size(1) == a.size() + 1);
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

template void nw<float>(float, float, float, const Array<1, char>, const Array<1, char>, Array<2, float>);
template void nw<int>(int, int, int, const Array<1, char>, const Array<1, char>, Array<2, int>);
