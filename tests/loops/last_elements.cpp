// last_elements; derived_tile_i; x=37 y=37
// Sums of the last elements: a loop that begins at a difference of a size and a counter.
#include <tangram.h>

__codelet void last_elements(const Array<1, float> x, Array<1, float> y) {
  require(y.size() == x.size());
  const int n = x.size();
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = n - i; j < n; ++j)
      sum += x[j];
    y[i] = sum;
  }
}
