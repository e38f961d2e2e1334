// stored_before; derived_tile_r; x=5x37
// Sums of what the loop itself has stored: of the element before, which an earlier round has stored, and of elements that the same
// round stores later.
#include <tangram.h>

__codelet void stored_before(const Array<2, float> x, Array<2, float> y, Array<1, float> all) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(all.size() == x.size(0));
  for (unsigned r = 0; r < x.size(0); ++r) {
    float before = 0, own = 0;
    for (unsigned j = 0; j < x.size(1); ++j) {
      if (j > 0)
        before += y[r][j - 1];
      y[r][j] = x[r][j] * 2;
    }
    for (unsigned j = 0; j < x.size(1); ++j) {
      own += y[r][j];
      y[r][j] = own / (before * before + 1);
    }
    all[r] = before;
  }
}
