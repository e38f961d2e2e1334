// 2-D convolutions channel by channel: each has a kernel of its own. Dimensions are image, channel,
// row, column; of w channel, row, column.
#include <tangram.h>

__codelet void conv_2d_depthwise(const Array<4, float> x, const Array<3, float> w,
                                 Array<4, float> y) {
  require(w.size(0) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(x.size(2) + 1 == y.size(2) + w.size(1));
  require(x.size(3) + 1 == y.size(3) + w.size(2));
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned c = 0; c < y.size(1); ++c) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = 0;
          for (unsigned p = 0; p < w.size(1); ++p) {
            for (unsigned q = 0; q < w.size(2); ++q)
              sum += x[n][c][i + p][j + q] * w[c][p][q];
          }
          y[n][c][i][j] = sum;
        }
      }
    }
  }
}
