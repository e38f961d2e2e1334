// The mean of each element and its eight neighbours in place, of which those before it are new
// already.
#include <tangram.h>

__codelet void seidel_2d(unsigned steps, Array<2, double> a) {
  for (unsigned t = 0; t < steps; ++t) {
    for (unsigned i = 1; i + 1 < a.size(0); ++i) {
      for (unsigned j = 1; j + 1 < a.size(1); ++j)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] +
                   a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) /
                  9;
    }
  }
}
