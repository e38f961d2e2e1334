// The mean over the middle one of three dimensions.
#include <tangram.h>

__codelet void mean_over_middle(const Array<3, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(2));
  for (unsigned n = 0; n < x.size(0); ++n) {
    for (unsigned j = 0; j < x.size(2); ++j) {
      float sum = 0;
      for (unsigned i = 0; i < x.size(1); ++i)
        sum += x[n][i][j];
      y[n][j] = sum / x.size(1);
    }
  }
}
