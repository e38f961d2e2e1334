// c = alpha a a^T + beta c, on and below the diagonal of c.
#include <tangram.h>

__codelet void syrk(double alpha, double beta, const Array<2, double> a, Array<2, double> c) {
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j <= i; ++j) {
      double sum = beta * c[i][j];
      for (unsigned k = 0; k < a.size(1); ++k)
        sum += alpha * a[i][k] * a[j][k];
      c[i][j] = sum;
    }
  }
}
