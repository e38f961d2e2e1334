// Copies, of vectors, of matrices and of boxes.
#pragma once
#include <tangram.h>

template <class T> __codelet
void copy(const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[i];
}

// Every lane an element, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(copy_lanes)
void copy(const Array<1, T> in, Array<1, T> out) {
  for (unsigned i = coopIdx(); i < out.size(); i += coopDim())
    out[i] = in[i];
}

// Contiguous tiles: suits workers with caches of their own.
template <class T> __codelet __tag(copy_tiled)
void copy(const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  map(copy<T>, rows(in, p), rows(out, p));
}

// Interleaved tiles: suits workers that step together.
template <class T> __codelet __tag(copy_strided)
void copy(const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  unsigned len = in.size();
  map(copy<T>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(len)),
      partition(out, p, sequence(0, 1, p), sequence(p), sequence(len)));
}

template <class T> __codelet
void copy_matrix(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = in[i][j];
  }
}

// Column by column: for a copy into a transposed view, whose columns are contiguous.
template <class T> __codelet __tag(columns_first)
void copy_matrix(const Array<2, T> in, Array<2, T> out) {
  for (unsigned j = 0; j < out.size(1); ++j) {
    for (unsigned i = 0; i < out.size(0); ++i)
      out[i][j] = in[i][j];
  }
}

template <class T> __codelet __coop __tag(copy_matrix_lanes)
void copy_matrix(const Array<2, T> in, Array<2, T> out) {
  unsigned columns = out.size(1);
  for (unsigned e = coopIdx(); e < out.size(0) * columns; e += coopDim())
    out[e / columns][e % columns] = in[e / columns][e % columns];
}

// For a copy into a transposed view: through a tile that is read by rows and written by columns, so
// that neighbouring lanes have neighbouring addresses on both sides. Row r of it is rotated by r:
// columns lie in different memory banks, too.
template <class T> __codelet __coop __tag(copy_turned)
void copy_matrix(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) <= 32);
  require(out.size(1) <= 32);
  __shared T tile[32 * 32];
  if (out.size(0) == 32 && out.size(1) == 32) {
    for (unsigned e = coopIdx(); e < 32 * 32; e += coopDim())
      tile[e] = in[e / 32][(e + e / 32) % 32];
    for (unsigned e = coopIdx(); e < 32 * 32; e += coopDim())
      out[e % 32][e / 32] = tile[e % 32 * 32 + (e / 32 + 32 - e % 32) % 32];
  } else {
    for (unsigned e = coopIdx(); e < 32 * 32; e += coopDim()) {
      if (e / 32 < out.size(0) && (e + e / 32) % 32 < out.size(1))
        tile[e] = in[e / 32][(e + e / 32) % 32];
    }
    for (unsigned e = coopIdx(); e < 32 * 32; e += coopDim()) {
      if (e % 32 < out.size(0) && e / 32 < out.size(1))
        out[e % 32][e / 32] = tile[e % 32 * 32 + (e / 32 + 32 - e % 32) % 32];
    }
  }
}

template <class T> __codelet __tag(copy_by_rows)
void copy_matrix(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(copy_matrix<T>, rows(in, p), rows(out, p));
}

template <class T> __codelet __tag(copy_by_columns)
void copy_matrix(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(copy_matrix<T>, cols(in, p), cols(out, p));
}

template <class T> __codelet
void copy_box(const Array<3, T> in, Array<3, T> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  for (unsigned k = 0; k < out.size(0); ++k) {
    for (unsigned i = 0; i < out.size(1); ++i) {
      for (unsigned j = 0; j < out.size(2); ++j)
        out[k][i][j] = in[k][i][j];
    }
  }
}

// Plane by plane, of which each lane has every coopDim()-th element.
template <class T> __codelet __coop __tag(copy_box_lanes)
void copy_box(const Array<3, T> in, Array<3, T> out) {
  unsigned columns = out.size(2);
  for (unsigned k = 0; k < out.size(0); ++k) {
    for (unsigned e = coopIdx(); e < out.size(1) * columns; e += coopDim())
      out[k][e / columns][e % columns] = in[k][e / columns][e % columns];
  }
}

template <class T> __codelet __tag(copy_by_planes)
void copy_box(const Array<3, T> in, Array<3, T> out) {
  map(copy_matrix<T>, in, out);
}

// Blocks of rows of all planes, as many as there are workers, where planes are few.
template <class T> __codelet __tag(copy_box_parts)
void copy_box(const Array<3, T> in, Array<3, T> out) {
  __tunable unsigned p;
  map(copy_box<T>, cols(in, p), cols(out, p));
}

template void copy<float>(const Array<1, float>, Array<1, float>);
template void copy<int>(const Array<1, int>, Array<1, int>);
template void copy_matrix<float>(const Array<2, float>, Array<2, float>);
template void copy_box<float>(const Array<3, float>, Array<3, float>);
