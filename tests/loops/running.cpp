// running; derived_split_i derived_lanes_j; x=5x1801 counted=5x1801
#include <cmath>

#include <tangram.h>

// Sums of what is counted, from the right, before each element, and the largest element so far.
__codelet void running(const Array<2, float> x, const Array<2, bool> counted, Array<2, float> before,
                       Array<2, float> largest) {
  require(counted.size(0) == x.size(0));
  require(counted.size(1) == x.size(1));
  require(before.size(0) == x.size(0));
  require(before.size(1) == x.size(1));
  require(largest.size(0) == x.size(0));
  require(largest.size(1) == x.size(1));
  require(x.size(1) > 0);
  for (unsigned i = 0; i < x.size(0); ++i) {
    float sum = 1, most = x[i][0];
    for (int j = (int)x.size(1) - 1; j >= 0; --j) {
      before[i][j] = sum;
      if (counted[i][j])
        sum += x[i][j];
      if (x[i][j] > most)
        most = x[i][j];
      largest[i][j] = 2 * most;
    }
  }
}
