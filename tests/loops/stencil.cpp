// stencil; derived_tile_i derived_split_j derived_lanes_i_j; in=9x13
#include <tangram.h>

// Inside, the mean of an element and its neighbours, and where it stands; the edge stays.
__codelet void stencil(const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 1; i + 1 < in.size(0); ++i)
    for (unsigned j = 1; j + 1 < in.size(1); ++j)
      out[i][j] = 0.2f * (in[i][j] + in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]) + 10 * i + j;
}
