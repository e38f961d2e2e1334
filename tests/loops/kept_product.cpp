// kept_product; derived_promoted derived_tile_i derived_split_j derived_sums derived_step_k derived_lanes_i_j; a=13x7 b=7x21
#include <tangram.h>

// A product whose sums are kept in its results, in the order i, k, j, which start from what loops of their own store.
__codelet void kept_product(float alpha, float beta, const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(c.size(0) == a.size(0));
  require(b.size(0) == a.size(1));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j)
      c[i][j] *= beta;
    for (unsigned k = 0; k < a.size(1); ++k) {
      float left = alpha * a[i][k];
      for (unsigned j = 0; j < c.size(1); ++j)
        c[i][j] += left * b[k][j];
    }
  }
}
