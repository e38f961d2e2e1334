// group_norm; derived_each_g derived_tile_n derived_lanes_j; x=2x6x5x7 groups:=3; large x=112x64x512x512 groups=8 below 10 ms
#include <cmath>
#include <tangram.h>

// Each group of channels without its mean, by its deviation: the number of channels in a group is a quotient of sizes.
__codelet void group_norm(const Array<4, float> x, unsigned groups, Array<4, float> y) {
  require(groups > 0);
  require(x.size(1) % groups == 0);
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  require(y.size(3) == x.size(3));
  unsigned per = x.size(1) / groups;
  for (unsigned n = 0; n < x.size(0); ++n) {
    for (unsigned g = 0; g < groups; ++g) {
      float sum = 0, squares = 0;
      for (unsigned c = 0; c < per; ++c)
        for (unsigned i = 0; i < x.size(2); ++i)
          for (unsigned j = 0; j < x.size(3); ++j) {
            float v = x[n][g * per + c][i][j];
            sum += v;
            squares += v * v;
          }
      float count = per * x.size(2) * x.size(3);
      float mean = sum / count;
      float scale = 1 / std::sqrt(squares / count - mean * mean + 0.5f);
      for (unsigned c = 0; c < per; ++c)
        for (unsigned i = 0; i < x.size(2); ++i)
          for (unsigned j = 0; j < x.size(3); ++j)
            y[n][g * per + c][i][j] = (x[n][g * per + c][i][j] - mean) * scale;
    }
  }
}
