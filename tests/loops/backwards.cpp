// backwards; derived_split_i derived_apart derived_lanes_i; x=5x23
#include <tangram.h>

// Sums from the right, of rows from the last to the first.
__codelet void backwards(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (int i = (int)x.size(0) - 1; i >= 0; --i) {
    float s = 0;
    for (int j = (int)x.size(1) - 1; j >= 0; --j) {
      s += x[i][j];
      y[i][j] = s;
    }
    float total = 0;
    for (int j = (int)x.size(1) - 1; j >= 0; --j)
      total += x[i][j];
    y[i][0] += total;
  }
}
