// spread; derived_atomic derived_copies derived_tile_i; x=61 w=5 y=65
// What each element adds to its neighbours: blocks overlap in what they add to.
#include <tangram.h>

__codelet void spread(const Array<1, float> x, const Array<1, float> w, Array<1, float> y) {
  require(y.size() + 1 == x.size() + w.size());
  for (unsigned i = 0; i < x.size(); ++i)
    for (unsigned p = 0; p < w.size(); ++p)
      y[i + p] += x[i] * w[p];
}
