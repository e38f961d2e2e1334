// tridiagonal; derived_split_r derived_lanes_r; d=9x21
#include <tangram.h>

// A tridiagonal system a row: elimination to the right, and back from there.
__codelet void tridiagonal(Array<2, float> c, Array<2, float> d) {
  require(c.size(0) == d.size(0));
  require(c.size(1) == d.size(1));
  require(d.size(1) > 1);
  int n = d.size(1);
  for (unsigned r = 0; r < d.size(0); ++r) {
    c[r][0] = 0.25f;
    for (int j = 1; j < n; ++j) {
      c[r][j] = 1 / (4 - c[r][j - 1]);
      d[r][j] = (d[r][j] + d[r][j - 1]) * c[r][j];
    }
    for (int j = n - 2; j >= 0; --j)
      d[r][j] += c[r][j] * d[r][j + 1];
  }
}
