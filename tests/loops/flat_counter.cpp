// flat_counter; derived_tile_n derived_tile_r derived_lanes_n_r_c; x=3x7x19 bias=7 y=3x7x19
// One counter for all elements, taken apart into their places.
#include <tangram.h>

__codelet void flat_counter(const Array<3, float> x, const Array<1, float> bias, Array<3, float> y) {
  require(bias.size() == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  const int rows = x.size(1), columns = x.size(2);
  for (int i = 0; i < (int)x.size(0) * rows * columns; ++i) {
    const int n = i / (rows * columns);
    const int r = i / columns % rows;
    const int c = i % columns;
    y[n][r][c] = x[n][r][c] + bias[r];
  }
}
