// The mean of each window of 3 x 3 x 3, every 2. The five dimensions of the tensor are four here:
// image and channel, which are alike to a pool, together; then depth, row, column. What lies
// outside is 0.
#include <tangram.h>

constexpr int window = 3;
constexpr int stride = 2;
constexpr int padding = 1;

__codelet void average_pool_3d(const Array<4, float> x, Array<4, float> y) {
  require(y.size(0) == x.size(0));
  require(x.size(1) + 2 * padding >= window);
  require(x.size(2) + 2 * padding >= window);
  require(x.size(3) + 2 * padding >= window);
  require(y.size(1) == (x.size(1) + 2 * padding - window) / stride + 1);
  require(y.size(2) == (x.size(2) + 2 * padding - window) / stride + 1);
  require(y.size(3) == (x.size(3) + 2 * padding - window) / stride + 1);
  int depth = x.size(1);
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned k = 0; k < y.size(1); ++k) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = 0;
          for (int p = 0; p < window; ++p) {
            for (int q = 0; q < window; ++q) {
              for (int r = 0; r < window; ++r) {
                int plane = (int)k * stride + p - padding;
                int row = (int)i * stride + q - padding;
                int column = (int)j * stride + r - padding;
                if (plane >= 0 && plane < depth && row >= 0 && row < height && column >= 0 &&
                    column < width)
                  sum += x[n][plane][row][column];
              }
            }
          }
          y[n][k][i][j] = sum / (window * window * window);
        }
      }
    }
  }
}
