// a += u1 v1^T + u2 v2^T; x += beta a^T y + z; w = alpha a x.
#include <tangram.h>

__codelet void gemver(double alpha, double beta, const Array<1, double> u1,
                      const Array<1, double> v1, const Array<1, double> u2,
                      const Array<1, double> v2, const Array<1, double> y, const Array<1, double> z,
                      Array<2, double> a, Array<1, double> x, Array<1, double> w) {
  require(a.size(1) == a.size(0));
  require(u1.size() == a.size(0));
  require(v1.size() == a.size(0));
  require(u2.size() == a.size(0));
  require(v2.size() == a.size(0));
  require(y.size() == a.size(0));
  require(z.size() == a.size(0));
  require(x.size() == a.size(0));
  require(w.size() == a.size(0));
  unsigned n = a.size(0);
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < n; ++j)
      a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
  }
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < n; ++j)
      x[i] += beta * a[j][i] * y[j];
  }
  for (unsigned i = 0; i < n; ++i)
    x[i] += z[i];
  for (unsigned i = 0; i < n; ++i) {
    w[i] = 0;
    for (unsigned j = 0; j < n; ++j)
      w[i] += alpha * a[i][j] * x[j];
  }
}
