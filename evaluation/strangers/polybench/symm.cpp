// c = alpha a b + beta c, with a symmetric a of which only what is on and below the diagonal is
// read.
#include <tangram.h>

__codelet void symm(double alpha, double beta, const Array<2, double> a, const Array<2, double> b,
                    Array<2, double> c) {
  require(a.size(1) == a.size(0));
  require(b.size(0) == a.size(0));
  require(c.size(0) == a.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      double sum = 0;
      for (unsigned k = 0; k <= i; ++k)
        sum += a[i][k] * b[k][j];
      for (unsigned k = i + 1; k < a.size(0); ++k)
        sum += a[k][i] * b[k][j];
      c[i][j] = alpha * sum + beta * c[i][j];
    }
  }
}
