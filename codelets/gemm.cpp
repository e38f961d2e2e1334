// C += A B for dense matrices.
#include <tangram.h>

template <class T> __codelet
void gemm(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      T accum = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[k][j];
      c[i][j] = accum;
    }
  }
}

// Every lane an element of C, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(lanes)
void gemm(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  unsigned columns = c.size(1);
  for (unsigned e = coopIdx(); e < c.size(0) * columns; e += coopDim()) {
    unsigned i = e / columns;
    unsigned j = e % columns;
    T accum = c[i][j];
    for (unsigned k = 0; k < a.size(1); ++k)
      accum += a[i][k] * b[k][j];
    c[i][j] = accum;
  }
}

// Blocks of rows of A and C.
template <class T> __codelet __tag(split_m)
void gemm(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  __tunable unsigned p;
  map(gemm<T>, rows(a, p), all(b), rows(c, p));
}

// Blocks of columns of B and C.
template <class T> __codelet __tag(split_n)
void gemm(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  __tunable unsigned p;
  map(gemm<T>, all(a), cols(b, p), cols(c, p));
}

// Blocks of columns of A and rows of B, one after the other: all of them add to C.
template <class T> __codelet __tag(split_k)
void gemm(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  __tunable unsigned p;
  fold(gemm<T>, cols(a, p), rows(b, p), all(c));
}

// Tiles of C of chosen sizes, each with its rows of A and columns of B.
template <class T> __codelet __tag(tile)
void gemm(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  __tunable unsigned m;
  __tunable unsigned n;
  map(gemm<T>, repeat(chunks(a, m), (c.size(1) + n - 1) / n),
      cycle(col_chunks(b, n), (c.size(0) + m - 1) / m), tile_chunks(c, m, n));
}

// So many columns of A and rows of B at a time.
template <class T> __codelet __tag(step)
void gemm(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  __tunable unsigned k;
  fold(gemm<T>, col_chunks(a, k), chunks(b, k), all(c));
}

template void gemm<float>(const Array<2, float>, const Array<2, float>, Array<2, float>);
template void gemm<double>(const Array<2, double>, const Array<2, double>, Array<2, double>);
template void gemm<int>(const Array<2, int>, const Array<2, int>, Array<2, int>);
