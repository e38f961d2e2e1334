// kept_rows; derived_nests derived_split_i derived_lanes_j; x=17x33
#include <tangram.h>

// A table of sums over all that is above and to the left: rows, then columns.
__codelet void kept_rows(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(0) > 0);
  require(y.size(1) > 0);
  for (unsigned i = 0; i < y.size(0); ++i) {
    y[i][0] = x[i][0];
    for (unsigned j = 1; j < y.size(1); ++j)
      y[i][j] = y[i][j - 1] + x[i][j];
  }
  for (unsigned j = 0; j < y.size(1); ++j)
    for (unsigned i = 1; i < y.size(0); ++i)
      y[i][j] += y[i - 1][j];
}
