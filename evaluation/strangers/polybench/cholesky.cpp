// a = L L^T in place, on and below the diagonal of a symmetric positive definite matrix.
#include <cmath>
#include <tangram.h>

__codelet void cholesky(Array<2, double> a) {
  require(a.size(1) == a.size(0));
  unsigned n = a.size(0);
  for (unsigned k = 0; k < n; ++k) {
    a[k][k] = sqrt(a[k][k]);
    for (unsigned i = k + 1; i < n; ++i)
      a[i][k] /= a[k][k];
    for (unsigned i = k + 1; i < n; ++i) {
      for (unsigned j = k + 1; j <= i; ++j)
        a[i][j] -= a[i][k] * a[j][k];
    }
  }
}
