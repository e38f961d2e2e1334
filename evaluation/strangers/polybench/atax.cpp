// y = a^T (a x), by columns: each row of a goes into y once its product with x is known.
#include <tangram.h>

__codelet void atax(const Array<2, double> a, const Array<1, double> x, Array<1, double> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(1));
  for (unsigned j = 0; j < y.size(); ++j)
    y[j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    double product = 0;
    for (unsigned j = 0; j < a.size(1); ++j)
      product += a[i][j] * x[j];
    for (unsigned j = 0; j < a.size(1); ++j)
      y[j] += a[i][j] * product;
  }
}
