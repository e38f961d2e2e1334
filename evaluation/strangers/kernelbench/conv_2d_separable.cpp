// A convolution of 3 x 3 channel by channel, with zeros around the images, and then a combination
// of all channels at each pixel, without anything kept in between: what a channel gives is made
// anew for each channel out.
#include <tangram.h>

constexpr int padding = 1;

__codelet void conv_2d_separable(const Array<4, float> x, const Array<3, float> deep,
                                 const Array<2, float> point, Array<4, float> y) {
  require(deep.size(0) == x.size(1));
  require(deep.size(1) == 2 * padding + 1);
  require(deep.size(2) == 2 * padding + 1);
  require(point.size(1) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == point.size(0));
  require(y.size(2) == x.size(2));
  require(y.size(3) == x.size(3));
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = 0;
          for (unsigned c = 0; c < x.size(1); ++c) {
            float own = 0;
            for (int p = 0; p < 2 * padding + 1; ++p) {
              for (int q = 0; q < 2 * padding + 1; ++q) {
                int row = (int)i + p - padding;
                int column = (int)j + q - padding;
                if (row >= 0 && row < height && column >= 0 && column < width)
                  own += x[n][c][row][column] * deep[c][p][q];
              }
            }
            sum += own * point[o][c];
          }
          y[n][o][i][j] = sum;
        }
      }
    }
  }
}
