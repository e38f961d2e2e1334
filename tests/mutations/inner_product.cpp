// An inner product of doubles, in four sums.
#include <tangram.h>

__codelet __tag(loop)
double inner_product(const Array<1, double> a, const Array<1, double> b) {
  require(a.size() == b.size());
  double s = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}
__codelet __tag(four)
double inner_product(const Array<1, double> a, const Array<1, double> b) {
  double s0 = 0;
  double s1 = 0;
  double s2 = 0;
  double s3 = 0;
  unsigned n = a.size();
  unsigned whole = n / 4 * 4;
  for (unsigned i = 0; i < whole; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (unsigned i = whole; i < n; ++i)
    s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}
