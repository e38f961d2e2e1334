// separable; derived_once derived_tile_o derived_tile_i derived_step_c; x=3x9x11 deep=3x3 point=5x3
#include <tangram.h>

// Rows of each channel are filtered, and channels are mixed at each place.
__codelet void separable(const Array<3, float> x, const Array<2, float> deep, const Array<2, float> point,
                         Array<3, float> y) {
  require(deep.size(0) == x.size(0));
  require(point.size(1) == x.size(0));
  require(y.size(0) == point.size(0));
  require(y.size(1) == x.size(1));
  require(x.size(2) + 1 == y.size(2) + deep.size(1));
  for (unsigned o = 0; o < y.size(0); ++o) {
    for (unsigned i = 0; i < y.size(1); ++i) {
      for (unsigned j = 0; j < y.size(2); ++j) {
        float sum = 0;
        for (unsigned c = 0; c < x.size(0); ++c) {
          float own = 0;
          for (unsigned q = 0; q < deep.size(1); ++q)
            own += x[c][i][j + q] * deep[c][q];
          sum += own * point[o][c];
        }
        y[o][i][j] = sum;
      }
    }
  }
}
