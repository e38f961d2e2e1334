// Solves l x = b for a lower triangular l.
#include <tangram.h>

__codelet void trisolv(const Array<2, double> l, const Array<1, double> b, Array<1, double> x) {
  require(l.size(1) == l.size(0));
  require(b.size() == l.size(0));
  require(x.size() == l.size(0));
  for (unsigned i = 0; i < x.size(); ++i) {
    double sum = b[i];
    for (unsigned j = 0; j < i; ++j)
      sum -= l[i][j] * x[j];
    x[i] = sum / l[i][i];
  }
}
