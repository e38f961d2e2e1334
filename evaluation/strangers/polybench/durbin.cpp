// Solves the equations of Yule and Walker by Durbin's recursion: y is continued by an element a
// round, and z is the next y.
#include <tangram.h>

__codelet void durbin(const Array<1, double> r, Array<1, double> z, Array<1, double> y) {
  require(r.size() > 0);
  require(z.size() == r.size());
  require(y.size() == r.size());
  double alpha = -r[0];
  double beta = 1;
  y[0] = alpha;
  for (unsigned k = 1; k < r.size(); ++k) {
    beta = (1 - alpha * alpha) * beta;
    double sum = r[k];
    for (unsigned i = 0; i < k; ++i)
      sum += r[k - i - 1] * y[i];
    alpha = -sum / beta;
    for (unsigned i = 0; i < k; ++i)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (unsigned i = 0; i < k; ++i)
      y[i] = z[i];
    y[k] = alpha;
  }
}
