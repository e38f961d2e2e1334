// steps; derived_nests derived_tile_i derived_lanes_i; steps:=3 x=37
#include <tangram.h>

// Time steps between two containers: the outer loop keeps its order.
__codelet void steps(unsigned steps, Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  for (unsigned t = 0; t < steps; ++t) {
    for (unsigned i = 1; i + 1 < x.size(); ++i)
      y[i] = 0.5f * (x[i - 1] + x[i + 1]);
    for (unsigned i = 1; i + 1 < x.size(); ++i)
      x[i] = 0.5f * (y[i - 1] + y[i + 1]);
  }
}
