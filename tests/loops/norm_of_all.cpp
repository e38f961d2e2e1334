// norm_of_all; derived_nests derived_total derived_split_n derived_lanes_w; x=3x2x5x7; large x=112x64x512x512 below 10 ms
#include <cmath>
#include <tangram.h>

// A container by the norm of all its elements.
__codelet void norm_of_all(const Array<4, float> x, Array<4, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  require(y.size(3) == x.size(3));
  float squares = 1;
  for (unsigned n = 0; n < x.size(0); ++n)
    for (unsigned c = 0; c < x.size(1); ++c)
      for (unsigned h = 0; h < x.size(2); ++h)
        for (unsigned w = 0; w < x.size(3); ++w)
          squares += x[n][c][h][w] * x[n][c][h][w];
  float scale = 1 / sqrt(squares);
  for (unsigned n = 0; n < x.size(0); ++n)
    for (unsigned c = 0; c < x.size(1); ++c)
      for (unsigned h = 0; h < x.size(2); ++h)
        for (unsigned w = 0; w < x.size(3); ++w)
          y[n][c][h][w] = x[n][c][h][w] * scale;
}
