// The same with kernels whose elements lie 3 apart.
#include <tangram.h>

constexpr int dilation = 3;

__codelet void conv_transposed_1d_dilated(const Array<3, float> x, const Array<3, float> w,
                                          Array<3, float> y) {
  require(w.size(0) == x.size(1));
  require(w.size(2) > 0);
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(1));
  require(y.size(2) == x.size(2) + dilation * (w.size(2) - 1));
  int length = x.size(2);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        float sum = 0;
        for (unsigned c = 0; c < x.size(1); ++c) {
          for (unsigned p = 0; p < w.size(2); ++p) {
            int from = (int)i - (int)p * dilation;
            if (from >= 0 && from < length)
              sum += x[n][c][from] * w[c][o][p];
          }
        }
        y[n][o][i] = sum;
      }
    }
  }
}
