// mirrored; derived_split_i derived_nests; x=13x9
#include <tangram.h>

// The products of all pairs of columns: those above the diagonal, and the same below it.
__codelet void mirrored(const Array<2, float> x, Array<2, float> pairs) {
  require(pairs.size(0) == x.size(1));
  require(pairs.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(1); ++i) {
    pairs[i][i] = 1;
    for (unsigned j = i + 1; j < x.size(1); ++j) {
      float s = 0;
      for (unsigned k = 0; k < x.size(0); ++k)
        s += x[k][i] * x[k][j];
      pairs[i][j] = s;
      pairs[j][i] = s;
    }
  }
}
