// kept_triangle; derived_promoted derived_box derived_tile_i derived_tile_j derived_step_k derived_lanes_i; a=9x7
#include <tangram.h>

// One half of a symmetric product, whose sums are kept in its results.
__codelet void kept_triangle(const Array<2, float> a, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j <= i; ++j)
      c[i][j] = 0;
    for (unsigned k = 0; k < a.size(1); ++k)
      for (unsigned j = 0; j <= i; ++j)
        c[i][j] += a[i][k] * a[j][k];
  }
}
