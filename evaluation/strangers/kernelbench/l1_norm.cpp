// Each row by the mean of its magnitudes.
#include <cmath>
#include <tangram.h>

__codelet void l1_norm(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    float sum = 0;
    for (unsigned j = 0; j < x.size(1); ++j)
      sum += fabs(x[i][j]);
    float mean = sum / x.size(1);
    for (unsigned j = 0; j < x.size(1); ++j)
      y[i][j] = x[i][j] / mean;
  }
}
