#include <cmath>
#include <tangram.h>

__codelet void tanh_each(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    for (unsigned j = 0; j < x.size(1); ++j)
      y[i][j] = std::tanh(x[i][j]);
  }
}
