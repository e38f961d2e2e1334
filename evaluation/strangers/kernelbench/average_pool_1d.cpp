// The mean of each window of 8; dimensions are signal, channel, time. What lies outside is 0.
#include <tangram.h>

constexpr int window = 8;
constexpr int stride = 1;
constexpr int padding = 4;

__codelet void average_pool_1d(const Array<3, float> x, Array<3, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(x.size(2) + 2 * padding >= window);
  require(y.size(2) == (x.size(2) + 2 * padding - window) / stride + 1);
  int length = x.size(2);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned c = 0; c < y.size(1); ++c) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        float sum = 0;
        for (int p = 0; p < window; ++p) {
          int at = (int)i * stride + p - padding;
          if (at >= 0 && at < length)
            sum += x[n][c][at];
        }
        y[n][c][i] = sum / window;
      }
    }
  }
}
