#include <tangram.h>

__codelet void hard_tanh(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    for (unsigned j = 0; j < x.size(1); ++j) {
      if (x[i][j] < -1)
        y[i][j] = -1;
      else if (x[i][j] > 1)
        y[i][j] = 1;
      else
        y[i][j] = x[i][j];
    }
  }
}
