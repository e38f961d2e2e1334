// triangles; derived_sums derived_rounds derived_tile_i derived_tile_j derived_step_k; a=19x19
#include <tangram.h>

// The product of two upper triangles: sums begin and end where the element says.
__codelet void triangles(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {
  require(a.size(1) == a.size(0));
  require(b.size(0) == a.size(0));
  require(b.size(1) == a.size(0));
  require(c.size(0) == a.size(0));
  require(c.size(1) == a.size(0));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      float s = 0;
      for (unsigned k = i; k <= j; ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
  }
}
