// Where the least is along the middle one of three dimensions; the first of several.
#include <tangram.h>

__codelet void argmin_over_middle(const Array<3, float> x, Array<2, int> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(2));
  require(x.size(1) > 0);
  for (unsigned n = 0; n < x.size(0); ++n) {
    for (unsigned j = 0; j < x.size(2); ++j) {
      float least = x[n][0][j];
      int place = 0;
      for (unsigned i = 1; i < x.size(1); ++i) {
        if (x[n][i][j] < least) {
          least = x[n][i][j];
          place = i;
        }
      }
      y[n][j] = place;
    }
  }
}
