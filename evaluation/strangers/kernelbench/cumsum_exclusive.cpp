// The sums of all elements of a row before each of them.
#include <tangram.h>

__codelet void cumsum_exclusive(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    float sum = 0;
    for (unsigned j = 0; j < x.size(1); ++j) {
      y[i][j] = sum;
      sum += x[i][j];
    }
  }
}
