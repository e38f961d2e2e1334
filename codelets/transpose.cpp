// out = in transposed.
#include "copy.cpp"

template <class T> __codelet
void transpose(const Array<2, T> in, Array<2, T> out) {
  require(out.size(0) == in.size(1));
  require(out.size(1) == in.size(0));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j)
      out[j][i] = in[i][j];
  }
}

// The same seen from the other side: a copy into a transposed view.
template <class T> __codelet __tag(as_copy)
void transpose(const Array<2, T> in, Array<2, T> out) {
  copy_matrix<T>(in, transpose(out));
}

// Tiles in both dimensions, so that lines of the cache are used whole on both sides.
template <class T> __codelet __tag(tiled)
void transpose(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  __tunable unsigned q;
  map(copy_matrix<T>, tiles(in, p, q), tiles(transpose(out), p, q));
}

// The same with tiles of chosen sizes, which fit local memory, caches or registers.
template <class T> __codelet __tag(tiled_chunks)
void transpose(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned t = choice(32, 16, 8, 64, 128, 256);
  map(copy_matrix<T>, tile_chunks(in, t, t), tile_chunks(transpose(out), t, t));
}

template <class T> __codelet __tag(by_rows)
void transpose(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(transpose<T>, rows(in, p), cols(out, p));
}

template <class T> __codelet __tag(by_columns)
void transpose(const Array<2, T> in, Array<2, T> out) {
  __tunable unsigned p;
  map(transpose<T>, cols(in, p), rows(out, p));
}

template void transpose<float>(const Array<2, float>, Array<2, float>);
template void transpose<int>(const Array<2, int>, Array<2, int>);
