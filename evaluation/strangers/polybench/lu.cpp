// a = L U in place, without pivoting: L has ones on its diagonal.
#include <tangram.h>

__codelet void lu(Array<2, double> a) {
  require(a.size(1) == a.size(0));
  unsigned n = a.size(0);
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned i = k + 1; i < n; ++i)
      a[i][k] /= a[k][k];
    for (unsigned i = k + 1; i < n; ++i) {
      for (unsigned j = k + 1; j < n; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
}
