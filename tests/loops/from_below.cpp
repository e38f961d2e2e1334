// from_below; derived_split_c derived_tile_i derived_lanes_c_i_j; x=3x9x11 w=3x3x3
#include <tangram.h>

// A convolution of each channel, whose filter counts from -1 to 1.
__codelet void from_below(const Array<3, float> x, const Array<3, float> w, Array<3, float> y) {
  require(w.size(0) == x.size(0));
  require(w.size(1) == 3);
  require(w.size(2) == 3);
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(y.size(2) == x.size(2));
  const int height = x.size(1), width = x.size(2);
  for (int c = 0; c < (int)x.size(0); ++c)
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j) {
        float s = 0;
        for (int u = -1; u <= 1; ++u) {
          if (i + u < 0 || i + u >= height)
            continue;
          for (int v = -1; v <= 1; ++v)
            if (j + v >= 0 && j + v < width)
              s += x[c][i + u][j + v] * w[c][u + 1][v + 1];
        }
        y[c][i][j] = s;
      }
}
