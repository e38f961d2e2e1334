#include <tangram.h>

__codelet void hard_sigmoid(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    for (unsigned j = 0; j < x.size(1); ++j)
      y[i][j] = min(max(x[i][j] + 3, 0.0f), 6.0f) / 6;
  }
}
