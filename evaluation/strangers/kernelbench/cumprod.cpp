// The products of all elements of a row up to each of them.
#include <tangram.h>

__codelet void cumprod(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    float product = 1;
    for (unsigned j = 0; j < x.size(1); ++j) {
      product *= x[i][j];
      y[i][j] = product;
    }
  }
}
