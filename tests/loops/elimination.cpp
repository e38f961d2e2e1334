// elimination; derived_split_i derived_nests derived_tile_j derived_lanes_i_j; a=19x19
#include <tangram.h>

// A matrix as a product of triangles, in its place: rows below a pivot's are others than its own.
__codelet void elimination(Array<2, float> a) {
  require(a.size(1) == a.size(0));
  unsigned n = a.size(0);
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned i = k + 1; i < n; ++i)
      a[i][k] /= a[k][k];
    for (unsigned i = k + 1; i < n; ++i)
      for (unsigned j = k + 1; j < n; ++j)
        a[i][j] -= a[i][k] * a[k][j];
  }
}
