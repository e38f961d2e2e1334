// Parts of given sizes, and parts of these: the number of parts in a part has a bound that is known
// before launch, so that each worker has a place for the results of its parts.
#include <tangram.h>

__codelet
int sum(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet __tag(chunked)
int sum(const Array<1, int> in) {
  __tunable unsigned t = choice(2, 7, 16);
  return sum(map(sum, chunks(in, t)));
}

// Three deep: parts of 3 of parts of 2 t of parts of 100.
__codelet
int inner(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet __tag(parts)
int inner(const Array<1, int> in) {
  return sum(map(sum, chunks(in, 3)));
}

__codelet
int middle(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet __tag(parts)
int middle(const Array<1, int> in) {
  __tunable unsigned t = pow2(4, 16);
  const unsigned whole = 2 * t;
  return sum(map(inner, chunks(in, whole)));
}

__codelet
int deep(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet __tag(parts)
int deep(const Array<1, int> in) {
  return sum(map(middle, chunks(in, 100)));
}

// What a part updates, it shares with no other.
__codelet
void add(const Array<1, int> x, Array<1, int> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < x.size(); ++i)
    y[i] = x[i] + y[i];
}

__codelet __tag(chunked)
void add(const Array<1, int> x, Array<1, int> y) {
  __tunable unsigned t;
  map(add, chunks(x, t), chunks(y, t));
}

// Tiles of given sizes in all three dimensions.
__codelet
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float accum = c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        accum += a[i][k] * b[k][j];
      c[i][j] = accum;
    }
  }
}

__codelet __tag(rows_of_t)
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned t = choice(4, 8);
  map(gemm, chunks(a, t), all(b), chunks(c, t));
}

__codelet __tag(columns_of_t)
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned t = choice(4, 8);
  map(gemm, all(a), col_chunks(b, t), col_chunks(c, t));
}

__codelet __tag(steps_of_t)
void gemm(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  __tunable unsigned t = choice(4, 8);
  fold(gemm, col_chunks(a, t), chunks(b, t), all(c));
}

__codelet
void copy_tile(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j)
      out[i][j] = in[i][j];
  }
}

__codelet
void turn(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(1));
  require(out.size(1) == in.size(0));
  for (unsigned i = 0; i < in.size(0); ++i) {
    for (unsigned j = 0; j < in.size(1); ++j)
      out[j][i] = in[i][j];
  }
}

__codelet __tag(tiled)
void turn(const Array<2, int> in, Array<2, int> out) {
  __tunable unsigned t = pow2(4, 32);
  map(copy_tile, tile_chunks(in, t, 8), tile_chunks(transpose(out), t, 8));
}

// A local container in a part of a part that workers took by a division among them.
__codelet void next(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] + 1;
}

__codelet __tag(next_chunks)
void next(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t = choice(4, 8);
  map(next, chunks(in, t), chunks(out, t));
}

__codelet void keep(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i];
}

__codelet __tag(next_aside)
void next(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> tmp(in.size());
  next(in, tmp);
  keep(tmp, out);
}
