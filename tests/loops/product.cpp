// product; derived_tile_i derived_split_j derived_step_k derived_lanes_i_j derived_lanes_k; a=13x7 b=7x21
#include <tangram.h>

__codelet void product(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j) {
      float s = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
