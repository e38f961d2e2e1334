// The mean of each element and its four neighbours, two steps a round: from a to b and back.
#include <tangram.h>

__codelet void jacobi_2d(unsigned steps, Array<2, double> a, Array<2, double> b) {
  require(b.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  for (unsigned t = 0; t < steps; ++t) {
    for (unsigned i = 1; i + 1 < a.size(0); ++i) {
      for (unsigned j = 1; j + 1 < a.size(1); ++j)
        b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
    }
    for (unsigned i = 1; i + 1 < a.size(0); ++i) {
      for (unsigned j = 1; j + 1 < a.size(1); ++j)
        a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i - 1][j] + b[i + 1][j]);
    }
  }
}
