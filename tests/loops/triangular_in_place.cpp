// triangular_in_place; derived_split_j derived_tile_j; a=17x17 b=17x23
#include <tangram.h>

// An upper triangle with ones on its diagonal times a matrix, in its place: columns are apart.
__codelet void triangular_in_place(const Array<2, float> a, Array<2, float> b) {
  require(a.size(1) == a.size(0));
  require(b.size(0) == a.size(0));
  for (unsigned i = 0; i < b.size(0); ++i)
    for (unsigned k = i + 1; k < b.size(0); ++k)
      for (unsigned j = 0; j < b.size(1); ++j)
        b[i][j] += a[i][k] * b[k][j];
}
