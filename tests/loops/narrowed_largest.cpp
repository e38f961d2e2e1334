// narrowed_largest; derived_tile_i; in=9x7
// Numbers are compared with all their bits and stored with fewer, so that the result is not the largest one.
#include <cstdint>
#include <tangram.h>

__codelet
void narrowed_largest(const Array<2, int> in, Array<1, int> out) {
  require(out.size() == in.size(0));
  for (unsigned i = 0; i < in.size(0); ++i) {
    uint8_t top = 0;
    for (unsigned j = 0; j < in.size(1); ++j)
      if (in[i][j] > top)
        top = in[i][j];
    out[i] = top;
  }
}
