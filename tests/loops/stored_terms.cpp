// stored_terms; derived_tile_r derived_lanes_j; x=5x37 y=5x37
// A softmax that adds up what it has just stored: where sums alone are made, nothing is stored.
#include <tangram.h>
#include <cmath>

__codelet void stored_terms(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned r = 0; r < x.size(0); ++r) {
    float top = -INFINITY, sum = 0;
    for (unsigned j = 0; j < x.size(1); ++j)
      top = std::fmax(top, x[r][j]);
    for (unsigned j = 0; j < x.size(1); ++j) {
      y[r][j] = std::exp(x[r][j] - top);
      sum += y[r][j];
    }
    for (unsigned j = 0; j < x.size(1); ++j)
      y[r][j] /= sum;
  }
}
