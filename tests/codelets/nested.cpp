// Maps in maps: over rows and their elements, over planes, rows and elements, over blocks along two loops of one
// spectrum, where each map takes one container whole, and beside other work.
#include <tangram.h>

__codelet float changed(float x) { return x * 2 + 1; }

__codelet void row(const Array<1, float> in, Array<1, float> out) {
  require(out.size() == in.size());
  for (unsigned j = 0; j < in.size(); ++j) out[j] = in[j] * 2 + 1;
}
__codelet __tag(elements) void row(const Array<1, float> in, Array<1, float> out) {
  out = map(changed, in);
}

__codelet void matrix(const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i)
    for (unsigned j = 0; j < in.size(1); ++j) out[i][j] = in[i][j] * 2 + 1;
}
__codelet __tag(rows_of) void matrix(const Array<2, float> in, Array<2, float> out) {
  map(row, in, out);
}

__codelet void cube(const Array<3, float> in, Array<3, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  require(out.size(2) == in.size(2));
  for (unsigned k = 0; k < in.size(0); ++k)
    for (unsigned i = 0; i < in.size(1); ++i)
      for (unsigned j = 0; j < in.size(2); ++j) out[k][i][j] = in[k][i][j] * 2 + 1;
}
__codelet __tag(planes) void cube(const Array<3, float> in, Array<3, float> out) {
  map(matrix, in, out);
}

// Blocks along each of two loops.
__codelet void product(const Array<1, float> a, const Array<1, float> b, Array<2, float> c) {
  require(c.size(0) == a.size());
  require(c.size(1) == b.size());
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j) c[i][j] = a[i] * b[j];
}
__codelet __coop __tag(lanes)
void product(const Array<1, float> a, const Array<1, float> b, Array<2, float> c) {
  unsigned columns = c.size(1);
  for (unsigned e = coopIdx(); e < c.size(0) * columns; e += coopDim())
    c[e / columns][e % columns] = a[e / columns] * b[e % columns];
}
__codelet __tag(tile_i)
void product(const Array<1, float> a, const Array<1, float> b, Array<2, float> c) {
  __tunable unsigned t = choice(4, 16);
  map(product, chunks(a, t), all(b), chunks(c, t));
}
__codelet __tag(tile_j)
void product(const Array<1, float> a, const Array<1, float> b, Array<2, float> c) {
  __tunable unsigned t = choice(8, 32);
  map(product, all(a), chunks(b, t), col_chunks(c, t));
}
__codelet __tag(split_i)
void product(const Array<1, float> a, const Array<1, float> b, Array<2, float> c) {
  __tunable unsigned p;
  map(product, rows(a, p), all(b), rows(c, p));
}
__codelet __tag(split_j)
void product(const Array<1, float> a, const Array<1, float> b, Array<2, float> c) {
  __tunable unsigned p;
  map(product, all(a), rows(b, p), cols(c, p));
}

// Sums of columns first, then a map of each row.
__codelet void sums(const Array<2, float> in, Array<1, float> out) {
  require(out.size() == in.size(1));
  for (unsigned j = 0; j < out.size(); ++j) {
    float s = 0;
    for (unsigned i = 0; i < in.size(0); ++i) s += in[i][j];
    out[j] = s;
  }
}
__codelet float sum_of_column(const Array<2, float> in, unsigned j) {
  float s = 0;
  for (unsigned i = 0; i < in.size(0); ++i) s += in[i][j];
  return s;
}
__codelet __tag(columns) void sums(const Array<2, float> in, Array<1, float> out) {
  out = map(sum_of_column, all(in), sequence(0, 1, out.size()));
}
__codelet float less(float x, float s) { return x - s; }
__codelet void lessen(const Array<1, float> in, const Array<1, float> s, Array<1, float> out) {
  require(out.size() == in.size());
  require(s.size() == in.size());
  for (unsigned j = 0; j < in.size(); ++j) out[j] = in[j] - s[j];
}
__codelet __tag(elements_less)
void lessen(const Array<1, float> in, const Array<1, float> s, Array<1, float> out) {
  out = map(less, in, s);
}
__codelet void centered(const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned j = 0; j < in.size(1); ++j) {
    float s = 0;
    for (unsigned i = 0; i < in.size(0); ++i) s += in[i][j];
    for (unsigned i = 0; i < in.size(0); ++i) out[i][j] = in[i][j] - s;
  }
}
__codelet __tag(sums_first) void centered(const Array<2, float> in, Array<2, float> out) {
  Array<1, float> s(in.size(1));
  sums(in, s);
  map(lessen, in, all(s), out);
}
