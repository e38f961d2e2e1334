// b = alpha a^T b in place, with an a that is lower triangular and has ones on its diagonal, which
// are not read.
#include <tangram.h>

__codelet void trmm(double alpha, const Array<2, double> a, Array<2, double> b) {
  require(a.size(1) == a.size(0));
  require(b.size(0) == a.size(0));
  for (unsigned i = 0; i < b.size(0); ++i) {
    for (unsigned j = 0; j < b.size(1); ++j) {
      double sum = b[i][j];
      for (unsigned k = i + 1; k < b.size(0); ++k)
        sum += a[k][i] * b[k][j];
      b[i][j] = alpha * sum;
    }
  }
}
