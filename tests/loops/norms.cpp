// norms; derived_apart derived_parts_i derived_lanes_j derived_tile_n; x=3x7x19
#include <cmath>
#include <tangram.h>

// Each matrix without its mean, by its deviation; the sums of several loops in one round, and the largest of all.
__codelet void norms(const Array<3, float> x, const Array<1, float> weight, Array<3, float> y, Array<1, float> largest) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  require(weight.size() == x.size(2));
  require(largest.size() == x.size(0));
  float count = x.size(1) * x.size(2);
  for (unsigned n = 0; n < x.size(0); ++n) {
    float mean = 0;
    float squares = 0;
    float top = -INFINITY;
    for (unsigned i = 0; i < x.size(1); ++i)
      for (unsigned j = 0; j < x.size(2); ++j)
        mean += x[n][i][j];
    mean /= count;
    for (unsigned i = 0; i < x.size(1); ++i)
      for (unsigned j = 0; j < x.size(2); ++j) {
        float off = x[n][i][j] - mean;
        squares += off * off;
        top = fmax(top, x[n][i][j]);
      }
    float scale = 1 / sqrt(squares / count + 0.5f);
    largest[n] = top;
    for (unsigned i = 0; i < x.size(1); ++i)
      for (unsigned j = 0; j < x.size(2); ++j)
        y[n][i][j] = (x[n][i][j] - mean) * scale * weight[j];
  }
}
