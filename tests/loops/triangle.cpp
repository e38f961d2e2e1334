// triangle; derived_tile_i derived_lanes_i; a=19x19 x=19
#include <tangram.h>

// The product of a lower triangle and a vector.
__codelet void triangle(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  require(a.size(1) == a.size(0));
  require(x.size() == a.size(0));
  require(y.size() == a.size(0));
  for (unsigned i = 0; i < y.size(); ++i) {
    float s = 0;
    for (unsigned j = 0; j <= i; ++j)
      s += a[i][j] * x[j];
    y[i] = s;
  }
}
