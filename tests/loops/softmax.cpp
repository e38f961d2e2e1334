// softmax; derived_split_r derived_tile_r derived_lanes_r derived_lanes_i; x=5x33
#include <cfloat>
#include <cmath>
#include <tangram.h>

__codelet void softmax(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned r = 0; r < x.size(0); ++r) {
    float top = -FLT_MAX;
    for (unsigned i = 0; i < x.size(1); ++i)
      top = max(top, x[r][i]);
    float total = 0;
    for (unsigned i = 0; i < x.size(1); ++i)
      total += exp(x[r][i] - top);
    for (unsigned i = 0; i < x.size(1); ++i)
      y[r][i] = exp(x[r][i] - top) / total;
  }
}
