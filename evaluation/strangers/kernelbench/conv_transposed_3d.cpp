// A layer of 3-D transposed convolutions of volumes with 32 channels. The five dimensions of a
// tensor are four here: volume and channel together, then depth, row, column; of w channel in and
// channel out together, then depth, row, column.
#include <tangram.h>

constexpr unsigned channels = 32; // of x

__codelet void conv_transposed_3d(const Array<4, float> x, const Array<4, float> w,
                                  Array<4, float> y) {
  require(x.size(0) % channels == 0);
  require(w.size(0) % channels == 0);
  require(y.size(0) == x.size(0) / channels * (w.size(0) / channels));
  require(y.size(1) + 1 == x.size(1) + w.size(1));
  require(y.size(2) + 1 == x.size(2) + w.size(2));
  require(y.size(3) + 1 == x.size(3) + w.size(3));
  unsigned filters = w.size(0) / channels;
  for (unsigned n = 0; n < x.size(0) / channels; ++n) {
    for (unsigned o = 0; o < filters; ++o) {
      for (unsigned k = 0; k < y.size(1); ++k) {
        for (unsigned i = 0; i < y.size(2); ++i) {
          for (unsigned j = 0; j < y.size(3); ++j) {
            float sum = 0;
            for (unsigned c = 0; c < channels; ++c) {
              for (unsigned p = 0; p < w.size(1); ++p) {
                for (unsigned q = 0; q < w.size(2); ++q) {
                  for (unsigned r = 0; r < w.size(3); ++r) {
                    if (p <= k && k - p < x.size(1) && q <= i && i - q < x.size(2) && r <= j &&
                        j - r < x.size(3))
                      sum += x[n * channels + c][k - p][i - q][j - r] * w[c * filters + o][p][q][r];
                  }
                }
              }
            }
            y[n * filters + o][k][i][j] = sum;
          }
        }
      }
    }
  }
}
