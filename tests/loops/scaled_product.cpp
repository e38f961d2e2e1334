// scaled_product; derived_tile_i derived_tile_j derived_lanes_i_j; a=13x7 b=7x21
#include <tangram.h>

// A product that is added to what its results hold, which the sum's end reads: it cannot be made in them.
__codelet void scaled_product(float alpha, float beta, const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j) {
      float s = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = alpha * s + beta * c[i][j];
    }
}
