// largest; derived_split_i derived_tile_j derived_lanes_j; x=17x23
#include <tangram.h>

// The largest difference of neighbours in a row, of none less than -5.
__codelet int largest(const Array<2, int> x) {
  require(x.size(1) > 0);
  int top = -5;
  for (unsigned i = 0; i < x.size(0); ++i)
    for (unsigned j = 0; j + 1 < x.size(1); ++j) {
      int difference = x[i][j + 1] - x[i][j];
      if (difference > top)
        top = difference;
    }
  return top;
}
