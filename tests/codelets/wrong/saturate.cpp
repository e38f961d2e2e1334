// A product of bytes, scaled and saturated, for tests/equivalence.py: packed values stop at -127, and one codelet
// of the called product begins late.
#include <tangram.h>

signed char saturated(int v, int scale) {
  int r = (v * scale + 8192) >> 14;
  return r > 127 ? 127 : r < -128 ? -128 : r;
}
signed char saturated_too_early(int v, int scale) {
  int r = (v * scale + 8192) >> 14;
  return r > 127 ? 127 : r < -127 ? -127 : r;
}

__codelet
void scaled(int scale, const Array<2, signed char> a, const Array<2, signed char> b, Array<2, signed char> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(b.size(1) == c.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int acc = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        acc += a[i][k] * b[k][j];
      c[i][j] = saturated(acc, scale);
    }
  }
}

__codelet
void product(const Array<2, signed char> a, const Array<2, signed char> b, Array<2, int> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(b.size(1) == c.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int acc = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        acc += a[i][k] * b[k][j];
      c[i][j] = acc;
    }
  }
}
__codelet __tag(late)
void product(const Array<2, signed char> a, const Array<2, signed char> b, Array<2, int> c) {
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int acc = 0;
      for (unsigned k = 1; k < a.size(1); ++k)
        acc += a[i][k] * b[k][j];
      c[i][j] = acc;
    }
  }
}

__codelet
void pack(int scale, const Array<1, int> acc, Array<1, signed char> c) {
  require(acc.size() == c.size());
  for (unsigned j = 0; j < c.size(); ++j)
    c[j] = saturated_too_early(acc[j], scale);
}
__codelet
void pack_right(int scale, const Array<1, int> acc, Array<1, signed char> c) {
  require(acc.size() == c.size());
  for (unsigned j = 0; j < c.size(); ++j)
    c[j] = saturated(acc[j], scale);
}

__codelet __tag(two_steps)
void scaled(int scale, const Array<2, signed char> a, const Array<2, signed char> b, Array<2, signed char> c) {
  Array<2, int> acc(c.size(0), c.size(1));
  product(a, b, acc);
  map(pack, scale, acc, c);
}
__codelet __tag(two_right_steps)
void scaled(int scale, const Array<2, signed char> a, const Array<2, signed char> b, Array<2, signed char> c) {
  Array<2, int> acc(c.size(0), c.size(1));
  product(a, b, acc);
  map(pack_right, scale, acc, c);
}
