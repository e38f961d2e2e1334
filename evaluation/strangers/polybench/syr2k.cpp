// c = alpha a b^T + alpha b a^T + beta c, on and below the diagonal of c.
#include <tangram.h>

__codelet void syr2k(double alpha, double beta, const Array<2, double> a, const Array<2, double> b,
                     Array<2, double> c) {
  require(b.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j <= i; ++j)
      c[i][j] *= beta;
    for (unsigned k = 0; k < a.size(1); ++k) {
      for (unsigned j = 0; j <= i; ++j)
        c[i][j] += a[j][k] * alpha * b[i][k] + b[j][k] * alpha * a[i][k];
    }
  }
}
