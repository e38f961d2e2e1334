// volumes; derived_split_n derived_tile_d; x=2x3x6x5x7 w=4x3x2x3x2 y=2x4x5x3x6
// A layer of convolutions in three dimensions over several volumes: containers of five dimensions.
#include <tangram.h>

__codelet void volumes(const Array<5, float> x, const Array<5, float> w, Array<5, float> y) {
  require(x.size(0) == y.size(0) && w.size(1) == x.size(1) && w.size(0) == y.size(1));
  require(x.size(2) + 1 == y.size(2) + w.size(2));
  require(x.size(3) + 1 == y.size(3) + w.size(3));
  require(x.size(4) + 1 == y.size(4) + w.size(4));
  for (unsigned n = 0; n < y.size(0); ++n)
    for (unsigned o = 0; o < y.size(1); ++o)
      for (unsigned d = 0; d < y.size(2); ++d)
        for (unsigned h = 0; h < y.size(3); ++h)
          for (unsigned v = 0; v < y.size(4); ++v) {
            float sum = 0;
            for (unsigned c = 0; c < x.size(1); ++c)
              for (unsigned i = 0; i < w.size(2); ++i)
                for (unsigned j = 0; j < w.size(3); ++j)
                  for (unsigned k = 0; k < w.size(4); ++k)
                    sum += x[n][c][d + i][h + j][v + k] * w[o][c][i][j][k];
            y[n][o][d][h][v] = sum;
          }
}
