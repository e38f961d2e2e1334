// A layer of 1-D transposed convolutions: each element of a signal adds w to those of the result
// from its place on. Here it is asked the other way round, which elements of x a result gets
// something from. Dimensions are signal, channel, time; of w channel in, channel out, time.
#include <tangram.h>

__codelet void conv_transposed_1d(const Array<3, float> x, const Array<3, float> w,
                                  Array<3, float> y) {
  require(w.size(0) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(1));
  require(y.size(2) + 1 == x.size(2) + w.size(2));
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        float sum = 0;
        for (unsigned c = 0; c < x.size(1); ++c) {
          for (unsigned p = 0; p < w.size(2); ++p) {
            if (p <= i && i - p < x.size(2))
              sum += x[n][c][i - p] * w[c][o][p];
          }
        }
        y[n][o][i] = sum;
      }
    }
  }
}
