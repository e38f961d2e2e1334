// bytes; derived_sums derived_tile_i derived_tile_j derived_step_k derived_lanes_i_j; a=7x19 b=19x13
#include <tangram.h>

// A product of bytes.
__codelet void bytes(const Array<2, unsigned char> a, const Array<2, signed char> b, Array<2, int> c) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == a.size(0));
  require(c.size(1) == b.size(1));
  for (unsigned i = 0; i < c.size(0); ++i) {
    for (unsigned j = 0; j < c.size(1); ++j) {
      int s = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
  }
}
