// A layer of 2-D convolutions every 4 pixels, with a bias a channel: y[n][o] = bias[o] + sum over c
// of x[n][c] * w[o][c]. Dimensions are image, channel, row, column; of w channel out, channel in,
// row, column.
#include <tangram.h>

constexpr int stride = 4;
constexpr int padding = 2;

__codelet void conv_2d_strided(const Array<4, float> x, const Array<4, float> w,
                               const Array<1, float> bias, Array<4, float> y) {
  require(w.size(1) == x.size(1));
  require(bias.size() == w.size(0));
  require(x.size(2) + 2 * padding >= w.size(2));
  require(x.size(3) + 2 * padding >= w.size(3));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(0));
  require(y.size(2) == (x.size(2) + 2 * padding - w.size(2)) / stride + 1);
  require(y.size(3) == (x.size(3) + 2 * padding - w.size(3)) / stride + 1);
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = bias[o];
          for (unsigned c = 0; c < x.size(1); ++c) {
            for (unsigned p = 0; p < w.size(2); ++p) {
              for (unsigned q = 0; q < w.size(3); ++q) {
                int row = (int)(i * stride + p) - padding;
                int column = (int)(j * stride + q) - padding;
                if (row >= 0 && row < height && column >= 0 && column < width)
                  sum += x[n][c][row][column] * w[o][c][p][q];
              }
            }
          }
          y[n][o][i][j] = sum;
        }
      }
    }
  }
}
