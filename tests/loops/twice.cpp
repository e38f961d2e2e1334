// twice; derived_nests derived_split_i derived_split_j derived_lanes_j; a=7x19
#include <tangram.h>

// A matrix and its transpose times a vector: what each row makes, all columns add.
__codelet void twice(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == a.size(1));
  require(y.size() == a.size(1));
  for (unsigned j = 0; j < y.size(); ++j)
    y[j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    float s = 0;
    for (unsigned j = 0; j < a.size(1); ++j)
      s += a[i][j] * x[j];
    for (unsigned j = 0; j < a.size(1); ++j)
      y[j] += a[i][j] * s;
  }
}
