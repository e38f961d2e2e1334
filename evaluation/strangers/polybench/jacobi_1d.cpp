// The mean of each element and its neighbours, two steps a round: from a to b and back.
#include <tangram.h>

__codelet void jacobi_1d(unsigned steps, Array<1, double> a, Array<1, double> b) {
  require(b.size() == a.size());
  for (unsigned t = 0; t < steps; ++t) {
    for (unsigned i = 1; i + 1 < a.size(); ++i)
      b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    for (unsigned i = 1; i + 1 < a.size(); ++i)
      a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }
}
