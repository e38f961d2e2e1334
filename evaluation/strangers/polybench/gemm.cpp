// c = alpha a b + beta c
#include <tangram.h>

__codelet void gemm(double alpha, double beta, const Array<2, double> a, const Array<2, double> b,
                    Array<2, double> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j)
      c[i][j] *= beta;
    for (unsigned k = 0; k < a.size(1); ++k) {
      for (unsigned j = 0; j < c.size(1); ++j)
        c[i][j] += alpha * a[i][k] * b[k][j];
    }
  }
}
