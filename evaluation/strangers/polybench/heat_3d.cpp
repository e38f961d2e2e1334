// Heat in a box, two steps a round: from a to b and back.
#include <tangram.h>

__codelet void heat_3d(unsigned steps, Array<3, double> a, Array<3, double> b) {
  require(b.size(0) == a.size(0));
  require(b.size(1) == a.size(1));
  require(b.size(2) == a.size(2));
  for (unsigned t = 0; t < steps; ++t) {
    for (unsigned i = 1; i + 1 < a.size(0); ++i) {
      for (unsigned j = 1; j + 1 < a.size(1); ++j) {
        for (unsigned k = 1; k + 1 < a.size(2); ++k)
          b[i][j][k] = a[i][j][k] + 0.125 * (a[i + 1][j][k] - 2 * a[i][j][k] + a[i - 1][j][k]) +
                       0.125 * (a[i][j + 1][k] - 2 * a[i][j][k] + a[i][j - 1][k]) +
                       0.125 * (a[i][j][k + 1] - 2 * a[i][j][k] + a[i][j][k - 1]);
      }
    }
    for (unsigned i = 1; i + 1 < a.size(0); ++i) {
      for (unsigned j = 1; j + 1 < a.size(1); ++j) {
        for (unsigned k = 1; k + 1 < a.size(2); ++k)
          a[i][j][k] = b[i][j][k] + 0.125 * (b[i + 1][j][k] - 2 * b[i][j][k] + b[i - 1][j][k]) +
                       0.125 * (b[i][j + 1][k] - 2 * b[i][j][k] + b[i][j - 1][k]) +
                       0.125 * (b[i][j][k + 1] - 2 * b[i][j][k] + b[i][j][k - 1]);
      }
    }
  }
}
