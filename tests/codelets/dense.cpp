// Vectors and matrices: several parameters, two dimensions, spectrums that call each other.
#include <tangram.h>

__codelet
void axpy(const float a, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < y.size(); ++i)
    y[i] += a * x[i];
}

__codelet __coop __tag(lanes)
void axpy(const float a, const Array<1, float> x, Array<1, float> y) {
  for (unsigned i = coopIdx(); i < y.size(); i += coopDim())
    y[i] += a * x[i];
}

__codelet __tag(tiled)
void axpy(const float a, const Array<1, float> x, Array<1, float> y) {
  __tunable unsigned p;
  unsigned n = y.size();
  unsigned tile = (n + p - 1) / p;
  map(axpy, a,
      partition(x, p, sequence(0, tile, n), sequence(1), sequence(tile, tile, n + 1)),
      partition(y, p, sequence(0, tile, n), sequence(1), sequence(tile, tile, n + 1)));
}

__codelet
float dot(const Array<1, float> x, const Array<1, float> y) {
  require(y.size() == x.size());
  float s = 0;
  for (unsigned i = 0; i < x.size(); ++i)
    s += x[i] * y[i];
  return s;
}

__codelet __coop __tag(tree)
float dot(const Array<1, float> x, const Array<1, float> y) {
  __shared float partial[coopDim()];
  unsigned id = coopIdx();
  float s = 0;
  for (unsigned i = id; i < x.size(); i += coopDim())
    s += x[i] * y[i];
  partial[id] = s;
  for (unsigned step = coopDim() / 2; step > 0; step /= 2) {
    if (id < step)
      partial[id] += partial[id + step];
  }
  return partial[0];
}

__codelet
void gemv(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < a.size(0); ++i) {
    float s = 0;
    for (unsigned j = 0; j < a.size(1); ++j)
      s += a[i][j] * x[j];
    y[i] = s;
  }
}

__codelet __tag(by_row)
void gemv(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  y = map(dot, a, all(x));
}

// A lane owns whole rows; it walks along them.
__codelet __coop __tag(row_a_lane)
void gemv(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  for (unsigned i = coopIdx(); i < a.size(0); i += coopDim()) {
    float s = 0;
    for (unsigned j = 0; j < a.size(1); ++j)
      s += a[i][j] * x[j];
    y[i] = s;
  }
}

__codelet __tag(blocks)
void gemv(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  __tunable unsigned p;
  unsigned m = y.size();
  unsigned tile = (m + p - 1) / p;
  map(gemv, rows(a, p), all(x),
      partition(y, p, sequence(0, tile, m), sequence(1), sequence(tile, tile, m + 1)));
}

__codelet
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float s = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
  }
}

// The lanes share the elements of the result, each computes whole ones.
__codelet __coop __tag(element_a_lane)
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  unsigned all = c.size(0) * c.size(1);
  for (unsigned e = coopIdx(); e < all; e += coopDim()) {
    unsigned i = e / c.size(1);
    unsigned j = e % c.size(1);
    float s = c[i][j];
    for (unsigned k = 0; k < a.size(1); ++k)
      s += a[i][k] * b[k][j];
    c[i][j] = s;
  }
}

__codelet __tag(by_rows)
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned m;
  map(gemm, rows(a, m), all(b), rows(c, m));
}

__codelet __tag(by_columns)
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned n;
  map(gemm, all(a), cols(b, n), cols(c, n));
}

__codelet __tag(by_depth)
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned k;
  fold(gemm, cols(a, k), rows(b, k), all(c));
}

__codelet
void transposition(const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(1));
  require(out.size(1) == in.size(0));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j)
      out[j][i] = in[i][j];
  }
}

// One column of lanes a row of the input.
__codelet __coop __tag(lanes)
void transposition(const Array<2, float> in, Array<2, float> out) {
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = coopIdx(); j < in.size(1); j += coopDim())
      out[j][i] = in[i][j];
  }
}

__codelet
void matrix_copy(const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j)
      out[i][j] = in[i][j];
  }
}

__codelet __tag(tiled)
void transposition(const Array<2, float> in, Array<2, float> out) {
  __tunable unsigned n;
  __tunable unsigned m;
  map(matrix_copy, tiles(in, n, m), tiles(transpose(out), n, m));
}
