// The largest of each window of 4 x 4 pixels; dimensions are image, channel, row, column. What lies
// outside does not count.
#include <cmath>
#include <tangram.h>

constexpr int window = 4;
constexpr int stride = 1;
constexpr int padding = 1;

__codelet void max_pool_2d(const Array<4, float> x, Array<4, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(x.size(2) + 2 * padding >= window);
  require(x.size(3) + 2 * padding >= window);
  require(y.size(2) == (x.size(2) + 2 * padding - window) / stride + 1);
  require(y.size(3) == (x.size(3) + 2 * padding - window) / stride + 1);
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned c = 0; c < y.size(1); ++c) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float most = -INFINITY;
          for (int p = 0; p < window; ++p) {
            for (int q = 0; q < window; ++q) {
              int row = (int)i * stride + p - padding;
              int column = (int)j * stride + q - padding;
              if (row >= 0 && row < height && column >= 0 && column < width)
                most = max(most, x[n][c][row][column]);
            }
          }
          y[n][c][i][j] = most;
        }
      }
    }
  }
}
