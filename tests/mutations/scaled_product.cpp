// An int8 product, scaled and saturated to int8: at once, and in two steps.
#include <tangram.h>

signed char saturated(int v, int scale) {
  int r = (v * scale + 8192) >> 14;
  return r > 127 ? 127 : r < -128 ? -128 : r;
}
__codelet __tag(loop)
void scaled_product(int scale, const Array<2, signed char> a, const Array<2, signed char> b, Array<2, signed char> c) {
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
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j) {
      int sum = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}
__codelet __tag(by_k)
void product(const Array<2, signed char> a, const Array<2, signed char> b, Array<2, int> c) {
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j)
      c[i][j] = 0;
  for (unsigned k = 0; k < a.size(1); ++k)
    for (unsigned i = 0; i < c.size(0); ++i)
      for (unsigned j = 0; j < c.size(1); ++j)
        c[i][j] += a[i][k] * b[k][j];
}
__codelet void packed(int scale, const Array<1, int> v, Array<1, signed char> c) {
  require(v.size() == c.size());
  for (unsigned j = 0; j < c.size(); ++j) {
    int r = (v[j] * scale + 8192) >> 14;
    c[j] = min(max(r, -128), 127);
  }
}
__codelet __tag(two_steps)
void scaled_product(int scale, const Array<2, signed char> a, const Array<2, signed char> b, Array<2, signed char> c) {
  Array<2, int> acc(c.size(0), c.size(1));
  product(a, b, acc);
  map(packed, scale, acc, c);
}
