// C += A B for dense matrices, C += A B^T, and C := alpha A B + beta C.
#pragma once
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

// C += A B^T: the rows of B are its columns for gemm.
template <class T> __codelet
void gemm_nt(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  require(c.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(c.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      T accum = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[j][k];
      c[i][j] = accum;
    }
  }
}
template <class T> __codelet __tag(nt)
void gemm_nt(const Array<2, T> a, const Array<2, T> b, Array<2, T> c) {
  gemm<T>(a, transpose(b), c);
}

// C := alpha A B + beta C.
template <class T> __codelet
void gemm_scaled(T alpha, const Array<2, T> a, const Array<2, T> b, T beta, Array<2, T> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      T accum = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[k][j];
      c[i][j] = alpha * accum + beta * c[i][j];
    }
  }
}

template <class T> __codelet
void clear(Array<1, T> c) {
  for (unsigned j = 0; j < c.size(); ++j)
    c[j] = 0;
}
template <class T> __codelet __coop __tag(clear_lanes)
void clear(Array<1, T> c) {
  for (unsigned j = coopIdx(); j < c.size(); j += coopDim())
    c[j] = 0;
}

template <class T> __codelet
void combine(T alpha, const Array<1, T> product, T beta, Array<1, T> c) {
  require(product.size() == c.size());
  for (unsigned j = 0; j < c.size(); ++j)
    c[j] = alpha * product[j] + beta * c[j];
}
template <class T> __codelet __coop __tag(combine_lanes)
void combine(T alpha, const Array<1, T> product, T beta, Array<1, T> c) {
  for (unsigned j = coopIdx(); j < c.size(); j += coopDim())
    c[j] = alpha * product[j] + beta * c[j];
}

// The product first, and then rows.
template <class T> __codelet __tag(product_first)
void gemm_scaled(T alpha, const Array<2, T> a, const Array<2, T> b, T beta, Array<2, T> c) {
  Array<2, T> product(c.size(0), c.size(1));
  map(clear<T>, product);
  gemm<T>(a, b, product);
  map(combine<T>, alpha, product, beta, c);
}

// C := alpha A B + beta C for the first columns of matrices that have more of them: n of B and C, k of A. (What
// libraries call leading dimensions are a.size(1), b.size(1) and c.size(1).) The rest of C stays as it is.
template <class T> __codelet
void gemm_window(unsigned n, unsigned k, T alpha, const Array<2, T> a, const Array<2, T> b, T beta, Array<2, T> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == k);
  require(k <= a.size(1));
  require(n <= b.size(1));
  require(n <= c.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < n; ++j) {
      T accum = 0;
      for (unsigned l = 0; l < k; ++l)
        accum += a[i][l] * b[l][j];
      c[i][j] = alpha * accum + beta * c[i][j];
    }
  }
}
template <class T> __codelet __tag(windows)
void gemm_window(unsigned n, unsigned k, T alpha, const Array<2, T> a, const Array<2, T> b, T beta, Array<2, T> c) {
  gemm_scaled<T>(alpha, slice(a, 0, k, 1), slice(b, 0, n, 1), beta, slice(c, 0, n, 1));
}

template void gemm<float>(const Array<2, float>, const Array<2, float>, Array<2, float>);
template void gemm<double>(const Array<2, double>, const Array<2, double>, Array<2, double>);
template void gemm<int>(const Array<2, int>, const Array<2, int>, Array<2, int>);
template void gemm_nt<float>(const Array<2, float>, const Array<2, float>, Array<2, float>);
template void gemm_scaled<float>(float, const Array<2, float>, const Array<2, float>, float, Array<2, float>);
template void gemm_nt<double>(const Array<2, double>, const Array<2, double>, Array<2, double>);
template void gemm_scaled<double>(double, const Array<2, double>, const Array<2, double>, double, Array<2, double>);
template void gemm_window<float>(unsigned, unsigned, float, const Array<2, float>, const Array<2, float>, float, Array<2, float>);
