// carried_then_used; derived_tile_r derived_lanes_r; x=5x37 y=5x37
// A recurrence that stores its numbers, and whose last one all elements are divided by: one lane alone would know it.
#include <tangram.h>

__codelet void carried_then_used(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned r = 0; r < x.size(0); ++r) {
    float level = 1;
    for (unsigned j = 0; j < x.size(1); ++j) {
      level = 0.5f * level + x[r][j] * x[r][j];
      y[r][j] = level;
    }
    for (unsigned j = 0; j < x.size(1); ++j)
      y[r][j] /= level;
  }
}
