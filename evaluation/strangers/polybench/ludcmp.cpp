// Solves a x = b: a becomes L U, y solves L y = b, x solves U x = y.
#include <tangram.h>

__codelet void ludcmp(Array<2, double> a, const Array<1, double> b, Array<1, double> y,
                      Array<1, double> x) {
  require(a.size(1) == a.size(0));
  require(b.size() == a.size(0));
  require(y.size() == a.size(0));
  require(x.size() == a.size(0));
  unsigned n = a.size(0);
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned i = k + 1; i < n; ++i) {
      double factor = a[i][k] / a[k][k];
      a[i][k] = factor;
      for (unsigned j = k + 1; j < n; ++j)
        a[i][j] -= factor * a[k][j];
    }
  }
  for (unsigned i = 0; i < n; ++i) {
    double sum = b[i];
    for (unsigned j = 0; j < i; ++j)
      sum -= a[i][j] * y[j];
    y[i] = sum;
  }
  for (unsigned left = n; left > 0; --left) {
    unsigned i = left - 1;
    double sum = y[i];
    for (unsigned j = i + 1; j < n; ++j)
      sum -= a[i][j] * x[j];
    x[i] = sum / a[i][i];
  }
}
