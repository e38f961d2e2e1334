// d = alpha a b c + beta d; between is a b.
#include <tangram.h>

__codelet void two_mm(double alpha, double beta, const Array<2, double> a, const Array<2, double> b,
                      const Array<2, double> c, Array<2, double> between, Array<2, double> d) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == b.size(1));
  require(between.size(0) == a.size(0));
  require(between.size(1) == b.size(1));
  require(d.size(0) == a.size(0));
  require(d.size(1) == c.size(1));
  for (unsigned i = 0; i < between.size(0); ++i) {
    for (unsigned j = 0; j < between.size(1); ++j) {
      between[i][j] = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        between[i][j] += alpha * a[i][k] * b[k][j];
    }
  }
  for (unsigned i = 0; i < d.size(0); ++i) {
    for (unsigned j = 0; j < d.size(1); ++j) {
      d[i][j] *= beta;
      for (unsigned k = 0; k < between.size(1); ++k)
        d[i][j] += between[i][k] * c[k][j];
    }
  }
}
