// vector_bins; derived_atomic derived_copies derived_tile_i derived_lanes_i; of=600 x=600 y=7
// Sums of vectors in groups.
#include <tangram.h>

__codelet void vector_bins(const Array<1, int> of, const Array<1, float2> x, Array<1, float2> y) {
  require(x.size() == of.size());
  require(within(of, 0, y.size()));
  for (unsigned i = 0; i < x.size(); ++i)
    y[of[i]] += x[i];
}
