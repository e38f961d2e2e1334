// counter_as_number; derived_tile_r derived_lanes_r_c; x=7x9
// A counter of all elements that is a row and a column, and a number besides: as a float, and cut to eight bits.
#include <tangram.h>

__codelet void counter_as_number(const Array<2, float> x, Array<2, float> y, Array<2, int> low) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(low.size(0) == x.size(0));
  require(low.size(1) == x.size(1));
  const unsigned rows = x.size(0), columns = x.size(1);
  for (unsigned i = 0; i < rows * columns; ++i) {
    const unsigned r = i / columns, c = i % columns;
    y[r][c] = x[r][c] * ((float)i / (float)columns) + (float)i / (float)(rows * columns);
  }
  for (unsigned i = 0; i < rows * columns; ++i) {
    const unsigned r = i / columns, c = i % columns;
    low[r][c] = c + (unsigned char)i % columns;
  }
}
