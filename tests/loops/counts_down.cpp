// counts_down; derived_tile_r derived_lanes_r derived_lanes_k; x=7x19 y=7x19
// A running sum from the end of each row; the counter is tested and stepped at once.
#include <tangram.h>
#include <cstddef>

__codelet void counts_down(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (std::size_t r = 0; r < x.size(0); ++r) {
    float sum = 0;
    for (std::size_t k = x.size(1); k-- > 0;) {
      sum += x[r][k];
      y[r][k] = sum;
    }
  }
}
