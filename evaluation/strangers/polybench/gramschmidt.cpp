// a = q r, with orthonormal columns of q, by the modified method of Gram and Schmidt. a itself is
// used up.
#include <cmath>
#include <tangram.h>

__codelet void gramschmidt(Array<2, double> a, Array<2, double> r, Array<2, double> q) {
  require(r.size(0) == a.size(1));
  require(r.size(1) == a.size(1));
  require(q.size(0) == a.size(0));
  require(q.size(1) == a.size(1));
  unsigned m = a.size(0);
  unsigned n = a.size(1);
  for (unsigned k = 0; k < n; ++k) {
    double squares = 0;
    for (unsigned i = 0; i < m; ++i)
      squares += a[i][k] * a[i][k];
    r[k][k] = sqrt(squares);
    for (unsigned i = 0; i < m; ++i)
      q[i][k] = a[i][k] / r[k][k];
    for (unsigned j = k + 1; j < n; ++j) {
      r[k][j] = 0;
      for (unsigned i = 0; i < m; ++i)
        r[k][j] += q[i][k] * a[i][j];
      for (unsigned i = 0; i < m; ++i)
        a[i][j] -= q[i][k] * r[k][j];
    }
  }
}
