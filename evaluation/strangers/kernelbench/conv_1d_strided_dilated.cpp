// A layer of 1-D convolutions every 3 elements, whose kernels take every fourth. Dimensions are
// signal, channel, time; of w channel out, channel in, time.
#include <tangram.h>

constexpr unsigned stride = 3;
constexpr unsigned dilation = 4;

__codelet void conv_1d_strided_dilated(const Array<3, float> x, const Array<3, float> w,
                                       Array<3, float> y) {
  require(w.size(1) == x.size(1));
  require(w.size(2) > 0);
  require(x.size(2) > dilation * (w.size(2) - 1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(0));
  require(y.size(2) == (x.size(2) - dilation * (w.size(2) - 1) - 1) / stride + 1);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        float sum = 0;
        for (unsigned c = 0; c < x.size(1); ++c) {
          for (unsigned p = 0; p < w.size(2); ++p)
            sum += x[n][c][i * stride + p * dilation] * w[o][c][p];
        }
        y[n][o][i] = sum;
      }
    }
  }
}
