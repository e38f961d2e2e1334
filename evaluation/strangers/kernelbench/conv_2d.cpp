// A layer of 2-D convolutions, with kernels of any size. Dimensions are image, channel, row,
// column; of w channel out, channel in, row, column.
#include <tangram.h>

__codelet void conv_2d(const Array<4, float> x, const Array<4, float> w, Array<4, float> y) {
  require(w.size(1) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(0));
  require(x.size(2) + 1 == y.size(2) + w.size(2));
  require(x.size(3) + 1 == y.size(3) + w.size(3));
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = 0;
          for (unsigned c = 0; c < x.size(1); ++c) {
            for (unsigned p = 0; p < w.size(2); ++p) {
              for (unsigned q = 0; q < w.size(3); ++q)
                sum += x[n][c][i + p][j + q] * w[o][c][p][q];
            }
          }
          y[n][o][i][j] = sum;
        }
      }
    }
  }
}
